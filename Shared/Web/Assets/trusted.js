// Leaflet 1.7.1 writes a few strings of its own as HTML. Only those become HTML: all markup in other strings is shown as text.
// What DOMParser reads is a document of its own, in which nothing runs and nothing is loaded.
{
  const own = new Set(["&#x2212;", "+", "", "<svg/>", '<v:shape adj="1"/>']);
  const text = (string) =>
    own.has(string) ? string : string.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  window.trustedTypes?.createPolicy("default", {
    createHTML: (string, _, sink) => (sink === "DOMParser parseFromString" ? string : text(string)),
  });
}
