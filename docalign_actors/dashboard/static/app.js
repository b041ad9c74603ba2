// Keeps an open page true. One stream of events; when one concerns the page, its contents are fetched as the server makes
// them and laid over what is there, node by node: focus, scroll position and what is unfolded or typed in stay.
"use strict";

(() => {
  const main = document.querySelector("main[data-live]");
  const sign = document.getElementById("connection");
  const PAUSE = 400;          // milliseconds between two fetches, so that a burst of events costs one
  const SLOW = 30000;         // ages and lengths of time grow even when nothing happens
  const LONGEST = 30000;      // the longest wait before the stream is tried again

  forgetQuery();
  if (!main || !window.EventSource) return;

  let due = 0, later = 0, busy = false, again = false, gone = false, wait = 1000, source = null;

  function say(word, look) {
    if (sign.textContent !== word) sign.textContent = word;
    sign.className = "connection " + look;
  }

  function listen() {
    source = new EventSource("/api/events");
    source.onopen = () => { wait = 1000; say("Live", "live"); };
    source.onerror = () => {
      say("Connection lost, trying again", "lost");
      if (source.readyState !== EventSource.CLOSED) return;   // the browser tries again by itself
      later = setTimeout(listen, wait);
      wait = Math.min(wait * 2, LONGEST);
      renew();                                                // finds out whether we are still signed in
    };
    // `hello` comes first, `reset` to one who fell behind: what happened before either is not told, so it is fetched.
    for (const topic of ["hello", "reset", ...main.dataset.topics.split(" ")]) source.addEventListener(topic, soon);
  }

  function soon() {
    if (due || document.hidden || gone) return;
    due = setTimeout(() => { due = 0; renew(); }, PAUSE);
  }

  async function renew() {
    if (busy) { again = true; return; }
    busy = true;
    try {
      const answer = await fetch(main.dataset.live, { headers: { Accept: "text/html" }, redirect: "manual" });
      if (answer.ok) lay(await answer.text());
      else if (answer.status === 401) end("Signed out: load the page again to sign in");
      else if (answer.status === 404) end("This is not there any more");
    } catch { /* the stream says that the connection is lost */ }
    busy = false;
    if (again) { again = false; soon(); }
  }

  function end(word) {
    gone = true;
    stop();
    say(word, "lost");
  }

  function lay(html) {
    const fresh = new DOMParser().parseFromString(html, "text/html");
    for (const region of fresh.querySelectorAll("[data-region]")) {
      const old = document.getElementById(region.id);
      if (old && old.outerHTML !== region.outerHTML) morph(old, region);
      else if (!old && region.id) main.insertBefore(document.importNode(region, true), document.getElementById("as-of"));
    }
    for (const old of main.querySelectorAll("[data-region]"))
      if (old.id && !fresh.getElementById(old.id)) old.remove();
  }

  // Makes `old` equal to `fresh`, keeping every node that can be kept.
  function morph(old, fresh) {
    if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName) { old.replaceWith(document.importNode(fresh, true)); return; }
    if (old.nodeType !== Node.ELEMENT_NODE) { if (old.data !== fresh.data) old.data = fresh.data; return; }
    for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && !kept(old, name)) old.removeAttribute(name);
    for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value && !kept(old, name)) old.setAttribute(name, value);
    children(old, fresh);
  }

  function kept(node, name) {
    return (node.nodeName === "DETAILS" && name === "open") || (node.nodeName === "INPUT" && name === "value" && node.type !== "hidden");
  }

  function children(old, fresh) {
    const named = new Map();
    for (const child of old.children) if (child.dataset.key) named.set(child.dataset.key, child);
    let here = old.firstChild;
    for (const wanted of [...fresh.childNodes]) {
      const key = wanted.dataset && wanted.dataset.key;
      const same = key ? named.get(key) : (here && !(here.dataset && here.dataset.key) ? here : null);
      if (!same) { old.insertBefore(document.importNode(wanted, true), here); continue; }
      if (same === here) here = here.nextSibling; else old.insertBefore(same, here);
      if (key) named.delete(key);
      morph(same, wanted);
    }
    while (here) { const next = here.nextSibling; here.remove(); here = next; }
  }

  // A token that came with the address must not stay in the address bar or the history.
  function forgetQuery() {
    if (document.querySelector("form[data-forget-query]")) history.replaceState(null, "", location.pathname);
  }

  // A browser opens six connections to a server at the most, in all its tabs together: only a page that is looked at has one.
  function look() {
    if (document.hidden || gone) { stop(); return; }
    if (!source) { say("Connecting", ""); listen(); soon(); }
  }

  function stop() {
    if (source) source.close();
    clearTimeout(later);
    source = null;
  }

  document.addEventListener("visibilitychange", look);
  addEventListener("pagehide", stop);
  addEventListener("pageshow", (event) => { if (event.persisted) look(); });
  setInterval(soon, SLOW);
  say("Connecting", "");
  if (!document.hidden) listen();
})();
