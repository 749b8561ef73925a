// Buttons that copy a text.

/** Copy by the clipboard of the page, or by a selection where the browser has none for files. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = el("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

function copyButton(part) {
  const button = el("button.copy", {type: "button", "aria-label": `Copy ${part.name}`}, "Copy");
  button.disabled = Boolean(part.none || part.cut); // half a text does not compile
  button.addEventListener("click", async () => {
    const lines = part.lines.map((pieces) => pieces.filter((_, position) => position % 2).join(""));
    await copy(`${lines.join("\n")}\n`);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  return button;
}
