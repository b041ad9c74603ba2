"""Where the pages of applications get their views, and what their buttons do: the same as the API's."""

from __future__ import annotations

from uuid import UUID

from docalign_actors.applications.model import AppId, SubscriptionId
from docalign_actors.dashboard.app_views import AppDetail, Apps
from docalign_actors.http import cursors
from docalign_actors.http.app_desk import AppDesk
from docalign_actors.http.context import Context
from docalign_actors.http.errors import UnknownAddressError

_LISTED = 50
_DEAD = 20


class AppPages:
    """What `dashboard.app_views.AppReader` and `AppButtons` ask for."""

    def __init__(self, context: Context) -> None:
        self._context = context

    async def apps(self, after: str) -> Apps:
        place = cursors.decode("apps", after, tuple[str])[0] if after else ""
        page = await self._context.desk.run(self._desk().apps.log.apps, _LISTED, place)
        return Apps(apps=page.items, after=cursors.encode("apps", page.after) if page.after else "")

    async def app(self, app: UUID, after: str) -> AppDetail:
        desk = self._desk()
        before = cursors.decode("deliveries", after, tuple[cursors.Number])[0] if after else None

        def read() -> AppDetail:
            log = desk.apps.log
            subscriptions = log.subscriptions(app, _LISTED)
            sent = log.deliveries(_LISTED, before, app=app)
            return AppDetail(
                app=desk.app(app), subscriptions=subscriptions.items, more=subscriptions.after is not None,
                deliveries=sent.items, after=cursors.encode("deliveries", sent.after) if sent.after else "",
                dead=log.deliveries(_DEAD, app=app, status="dead").items,
            )  # fmt: skip

        return await self._context.desk.run(read)

    async def change_subscription(self, action: str, app: UUID, subscription: UUID) -> None:
        desk = self._desk()
        changes = {"pause": desk.pause, "resume": desk.resume, "resync": desk.resync, "unsubscribe": desk.unsubscribe}
        if action not in changes:
            raise UnknownAddressError
        await self._context.desk.run(changes[action], AppId(app), SubscriptionId(subscription))

    async def replay_delivery(self, app: UUID, delivery: UUID) -> None:
        await self._context.desk.run(self._desk().replay_one, delivery, AppId(app))

    async def remove_app(self, app: UUID) -> None:
        await self._context.desk.run(self._desk().remove, AppId(app))

    def _desk(self) -> AppDesk:
        return AppDesk(self._context.services)
