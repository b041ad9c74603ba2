"""What is done with applications, for the API and for the pages: checked, written down, and told to those who must know."""

from __future__ import annotations

from uuid import UUID

from docalign_actors.applications.admission import checked_name, checked_subscription, checked_url
from docalign_actors.applications.errors import (
    UnknownApplicationError,
    UnknownDeliveryError,
    UnknownSubscriptionError,
)
from docalign_actors.applications.events import SubscriptionsChanged
from docalign_actors.applications.model import AppId, SubscriptionId
from docalign_actors.applications.views import AppDeliveryView, AppView, Onboarded, SubscriptionView
from docalign_actors.errors import DocAlignError
from docalign_actors.http.errors import UnknownAddressError
from docalign_actors.http.schemas import NewSubscription
from docalign_actors.http.services import AppServices, Services
from docalign_actors.outbound.actor import NAME as OUTBOUND
from docalign_actors.outbound.messages import Post
from docalign_actors.scans.model import RepoId


class AppDesk:
    """Every method may take a moment: it is to be called in a thread of the desk."""

    def __init__(self, services: Services) -> None:
        if services.apps is None:
            raise UnknownAddressError
        self._services = services
        self.apps: AppServices = services.apps

    def add(self, name: str, url: str, user: str) -> Onboarded:
        name, url = checked_name(name), checked_url(url, allow_private=self.apps.allow_private)
        app, token = self.apps.store.add(name, url, user)
        self._services.events.publish(SubscriptionsChanged())
        return Onboarded(self.app(app), token, self.apps.key.secret(app, 1))

    def app(self, app: UUID) -> AppView:
        found = self.apps.log.app(app)
        if found is None:
            raise UnknownApplicationError
        return found

    def move(self, app: AppId, url: str) -> AppView:
        self.apps.store.move(app, checked_url(url, allow_private=self.apps.allow_private))
        self._told(None)
        return self.app(app)

    def remove(self, app: AppId) -> None:
        token = self.apps.store.remove(app)
        self._services.tokens.forget(token)
        self._services.events.publish(SubscriptionsChanged())

    def rotate_token(self, app: AppId) -> str:
        token, old = self.apps.store.rotate_token(app)
        self._services.tokens.forget(old)
        return token

    def rotate_secret(self, app: AppId) -> str:
        return self.apps.key.secret(app, self.apps.store.rotate_secret(app))

    def subscribe(self, app: AppId, wanted: NewSubscription) -> SubscriptionView:
        checked = checked_subscription(wanted.branch, wanted.paths, wanted.events)
        made = self.apps.store.subscribe(app, RepoId(wanted.repo), checked)
        self._told(RepoId(wanted.repo))
        return self.subscription(app, made)

    def subscription(self, app: UUID, subscription: UUID) -> SubscriptionView:
        found = self.apps.log.subscription(app, subscription)
        if found is None:
            raise UnknownSubscriptionError
        return found

    def unsubscribe(self, app: AppId, subscription: SubscriptionId) -> None:
        self._told(self.apps.store.unsubscribe(app, subscription))

    def pause(self, app: AppId, subscription: SubscriptionId) -> SubscriptionView:
        self._told(self.apps.store.pause(app, subscription))
        return self.subscription(app, subscription)

    def resume(self, app: AppId, subscription: SubscriptionId) -> SubscriptionView:
        self._told(self.apps.store.resume(app, subscription))
        return self.subscription(app, subscription)

    def resync(self, app: AppId, subscription: SubscriptionId) -> SubscriptionView:
        self._told(self.apps.store.resync(app, subscription))
        return self.subscription(app, subscription)

    def replay(self, app: AppId, subscription: SubscriptionId, since: int) -> SubscriptionView:
        """What has arrived goes again, from a sequence number on."""
        self.subscription(app, subscription)
        self._told(self.apps.log.replay_since(app, subscription, since))
        return self.subscription(app, subscription)

    def replay_one(self, delivery: UUID, app: AppId | None) -> AppDeliveryView:
        """One delivery goes again. One that was given up is the first that goes when its subscription is resumed."""
        found = self.delivery(delivery, app)
        if found.status == "dead":
            self._told(self.apps.store.resume(AppId(found.app_id), SubscriptionId(found.subscription_id)))
        else:
            self._told(self.apps.log.replay(delivery, app))
        return self.delivery(delivery, app)

    def delivery(self, delivery: UUID, app: UUID | None) -> AppDeliveryView:
        found = self.apps.log.delivery(delivery, app)
        if found is None:
            raise UnknownDeliveryError
        return found

    def _told(self, repo: RepoId | None) -> None:
        """It is written down: whoever is not told now finds it later."""
        self._services.events.publish(SubscriptionsChanged(repo))
        try:
            self._services.system.tell(OUTBOUND, Post())
        except DocAlignError:
            pass
