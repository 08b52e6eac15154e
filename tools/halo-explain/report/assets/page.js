// The tabs: the part of the page that the address names is shown and drawn.

const drawing = {
  summary: () => {},
  graph: (path) => showGraph(path),
  kernels: () => {},
  kernel: (path) => (path[0] === "sites" ? showKernel(path[1]) : showCallSite(Number(path[0]))),
  roofline: () => {},
  memory: (path) => showMemory(path),
  ir: (path) => showPasses(path),
  source: (path) => showSource(path),
  decisions: () => {},
  "compile-time": () => {},
  comparison: () => {},
  words: (path) => showWord(path[0]),
};

/** The hash of the page: the part and what is chosen in it. */
function address() {
  const hash = decodeURIComponent(location.hash.slice(1));
  if (hash.startsWith("word-") && byId(hash)) return ["words", [hash]];
  const [name, ...path] = hash.split("/");
  return drawing[name] && byId(name) ? [name, path] : ["summary", []];
}

let shownPart;

async function route() {
  const [name, path] = address();
  for (const section of document.querySelectorAll("main > section")) section.hidden = section.id !== name;
  const tab = name === "kernel" ? "kernels" : name;
  for (const anchor of document.querySelectorAll("header nav a")) {
    const isCurrent = anchor.hash === "#" + tab;
    if (isCurrent) anchor.setAttribute("aria-current", "page");
    else anchor.removeAttribute("aria-current");
  }
  if (shownPart !== name || !path.length) window.scrollTo(0, 0);
  shownPart = name;
  document.documentElement.dataset.drawn = "";
  try {
    await drawing[name](path);
  } catch (error) {
    byId(name).append(element("p", { class: "error", role: "alert" }, `This part cannot be shown: ${error.message}`));
  }
  fitTables();
  markWords(byId(name));
  document.documentElement.dataset.drawn = location.hash || "#";
}

new ResizeObserver(([{ target }]) => {
  target.style.setProperty("--above-tabs", `${target.querySelector("nav").offsetTop}px`);
}).observe(document.querySelector("header"));
window.addEventListener("hashchange", route);
window.addEventListener("resize", debounced(fitTables));
new Meaning();
startTables();
startRemarks();
startSearch();
route().then(() => {
  document.documentElement.dataset.ready = Math.round(performance.now());
});
