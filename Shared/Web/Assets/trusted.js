// Leaflet 1.7.1 writes a few strings of its own as HTML. Only those become HTML: all markup in other strings is shown as text.
{
  const own = new Set(["&#x2212;", "+", "", "<svg/>", '<v:shape adj="1"/>']);
  const text = (string) =>
    own.has(string) ? string : string.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  window.trustedTypes?.createPolicy("default", { createHTML: text });
}
