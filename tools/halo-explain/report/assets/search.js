// The search over everything: kernels, ops, lines of the program, passes.

const MOST_FOUND = 8;

function startSearch() {
  const input = byId("search");
  const found = byId("found");
  const close = () => (found.hidden = true);
  input.addEventListener("input", debounced(() => search(input.value, found)));
  input.addEventListener("focus", () => input.value && (found.hidden = false));
  input.closest(".search").addEventListener("keydown", (event) => {
    const links = [...found.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement);
    if (event.key === "Escape") {
      close();
      input.focus();
    } else if (event.key === "ArrowDown") links[Math.min(at + 1, links.length - 1)]?.focus();
    else if (event.key === "ArrowUp") (links[at - 1] ?? input).focus();
    else if (event.key === "Enter" && at < 0) links[0]?.click();
    else return;
    event.preventDefault();
  });
  found.addEventListener("click", (event) => event.target.closest("a") && close());
  document.addEventListener("pointerdown", (event) => !event.target.closest(".search") && close());
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest?.("input, select, textarea");
    if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      input.focus();
    }
  });
}

async function search(text, found) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) {
    found.hidden = true;
    return;
  }
  const model = await load();
  const { record, rows, source } = model;
  const has = (all) => words.every((word) => all.toLowerCase().includes(word));
  const groups = [
    ["Kernels", Object.entries(model.kernels).map(([number, it]) => [`kernel/sites/${number}`, it.name, `${it.rows.length} call sites`])],
    ["Call sites of kernels", rows.map((row, index) => [`kernel/${index}`, row.name, `${row.ops.join(", ")} ${row.location}`])],
    ["Ops", record.nodes.map((node, index) => [`graph/n${index}`, shortName(node.name), `${node.results} ${node.detail}`])],
    ["Passes", record.steps.map((step, index) => [`ir/${index}`, passName(step.pass), step.phase])],
    ["Lines", source.map((line, index) => [`source/${index + 1}`, `${index + 1}`, line.trim()])],
  ];
  const shown = groups.flatMap(([title, entries]) => {
    const hits = entries.filter(([, name, more]) => has(`${name} ${more}`));
    if (!hits.length) return [];
    return [
      element("h4", {}, `${title} (${hits.length})`),
      hits.slice(0, MOST_FOUND).map(([hash, name, more]) => element("a", { href: "#" + hash, tabindex: 0 }, element("strong", {}, name), " ", element("span", { class: "quiet" }, more))),
    ];
  });
  replace(found, ...(shown.length ? shown.flat() : [element("p", { class: "quiet" }, "Nothing has this in its name.")]));
  found.hidden = false;
}
