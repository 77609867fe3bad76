// What a push message shows, and where a press on it leads. The service worker imports this.
// A message names its kind, a page of ours and a sentence (accounts, PushMessage).

self.addEventListener("push", (event) => {
  const { kind, path, title, language } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, {
    // The next of a kind takes the place of the one before.
    tag: kind, renotify: true, lang: language, requireInteraction: kind === "alarm", data: { path },
  }));
});

self.addEventListener("notificationclick", (event) => {
  const { notification } = event;
  notification.close();
  const address = new URL(notification.data.path, self.location.origin);
  if (address.origin !== self.location.origin) return;
  event.waitUntil(self.clients.matchAll({ type: "window", includeUncontrolled: true }).then((pages) => {
    const open = pages.find((page) => new URL(page.url).pathname === address.pathname);
    if (!open) return self.clients.openWindow(address.href);
    // It is from before the message (web/frame.js).
    open.postMessage("news");
    return open.focus();
  }));
});
