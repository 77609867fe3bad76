// QR codes as pictures that stay sharp at any size.

const svg = "http://www.w3.org/2000/svg";
/** Modules of light around it, without which readers do not find it (ISO/IEC 18004). */
const margin = 4;

/** The picture of a text; `name` tells what it is. The program that computes it is loaded when it is needed first. */
export async function picture(text, name) {
  const { default: qrcode } = await import("../qrcode/qrcode.js");
  const code = qrcode(0, "M");
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  let path = "";
  for (let row = 0; row < count; row += 1) {
    for (let column = 0; column < count; column += 1) {
      if (code.isDark(row, column)) path += `M${column + margin} ${row + margin}h1v1h-1z`;
    }
  }
  const picture = node("svg", {
    viewBox: `0 0 ${count + 2 * margin} ${count + 2 * margin}`, class: "qr-code", role: "img", "aria-label": name,
    "shape-rendering": "crispEdges",
  });
  picture.append(node("rect", { width: "100%", height: "100%", fill: "#fff" }), node("path", { d: path, fill: "#000" }));
  return picture;
}

function node(name, attributes) {
  const element = document.createElementNS(svg, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
