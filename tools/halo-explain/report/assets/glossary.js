// The words of the glossary: where they stand in texts they are marked, once in each part of
// the page, and tell what they mean when one points at them, taps them or moves there with the
// keyboard. The entries are in the page, so that they are read without scripts, too.

/** Where texts are looked at. */
const WITH_WORDS = "p, li, dt, th, h3, h4, caption, .legend, .note";
/** What is no text for words: code, and what does something else when it is clicked. */
const WITHOUT_WORDS = "a, button, code, pre, svg, summary, input, .code, .name, .place, .loops, .facts dd, .list, #words";

let words;

/** The forms of the words, and what finds them in a text. */
function findWords() {
  if (words) return words;
  const entries = new Map();
  for (const term of document.querySelectorAll("#words dt")) {
    for (const form of term.dataset.forms.split("|")) entries.set(form, term);
  }
  const forms = [...entries.keys()].sort((a, b) => b.length - a.length);
  const escaped = forms.map((form) => form.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
  words = { entries, pattern: new RegExp(`(?<![\\w./-])(?:${escaped.join("|")})(?![\\w/-]|\\.\\w)`, "g") };
  return words;
}

/** Marks each word where it first stands in a part of the page. */
function markWords(part) {
  const { entries, pattern } = findWords();
  const seen = new Set([...part.querySelectorAll(".word")].map((it) => it.dataset.word));
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT, (node) => {
    const parent = node.parentElement;
    // What a kernel does stands beside its name.
    const isOfWords = parent.matches(".work") || (parent.closest(WITH_WORDS) && !parent.closest(WITHOUT_WORDS));
    const isText = isOfWords && !parent.closest(".word, #words");
    return isText ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT;
  });
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const node of texts) {
    if (seen.size === entries.size) return;
    const text = node.data;
    const found = [];
    let last = 0;
    for (const match of text.matchAll(pattern)) {
      const { id } = entries.get(match[0]);
      if (seen.has(id)) continue;
      seen.add(id);
      if (match.index > last) found.push(text.slice(last, match.index));
      found.push(element("a", { class: "word", href: "#" + id, "data-word": id, "aria-describedby": "meaning" }, match[0]));
      last = match.index + match[0].length;
    }
    if (found.length) node.replaceWith(...found, text.slice(last));
  }
}

/** Shows a text beside an element until one points or taps elsewhere. */
class Meaning {
  constructor() {
    this.box = element("div", { id: "meaning", role: "tooltip", hidden: true });
    document.body.append(this.box);
    const wordOf = (event) => event.target.closest?.(".word");
    document.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "mouse") return;
      const word = wordOf(event);
      if (word) this.show(word);
      else if (!event.target.closest?.("#meaning") && !this.isKept) this.hide();
    });
    document.addEventListener("focusin", (event) => wordOf(event)?.matches(":focus-visible") && this.show(wordOf(event)));
    document.addEventListener("click", (event) => {
      const word = wordOf(event);
      if (word) {
        event.preventDefault();
        const isAgain = this.word === word && this.isKept;
        if (isAgain) this.hide();
        else this.show(word, true);
      } else if (!event.target.closest?.("#meaning") || event.target.closest("a")) this.hide();
    });
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.hide());
    window.addEventListener("hashchange", () => this.hide());
  }

  show(word, isKept = false) {
    this.word = word;
    this.isKept = isKept;
    const { id, meaning } = word.dataset.meaning ? { meaning: word.dataset.meaning } : this.entry(word.dataset.word);
    replace(
      this.box,
      element("strong", {}, word.dataset.meaning ? word.textContent : byId(id).textContent),
      ": ",
      meaning,
      ". ",
      id && link(id, "Glossary"),
    );
    this.box.hidden = false;
    const at = word.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = this.box;
    const { clientWidth, clientHeight } = document.documentElement;
    const left = Math.max(8, Math.min(at.left, clientWidth - offsetWidth - 8));
    const isBelow = at.bottom + offsetHeight + 12 < clientHeight || at.top < offsetHeight + 12;
    this.box.style.left = `${left + window.scrollX}px`;
    this.box.style.top = `${(isBelow ? at.bottom + 5 : at.top - offsetHeight - 5) + window.scrollY}px`;
  }

  entry(id) {
    return { id, meaning: byId(id).nextElementSibling.textContent };
  }

  hide() {
    this.box.hidden = true;
    this.word = undefined;
    this.isKept = false;
  }
}

/** Shows an entry of the glossary. */
function showWord(id) {
  for (const term of document.querySelectorAll("#words dt")) term.classList.toggle("chosen", term.id === id);
  byId(id)?.scrollIntoView({ block: "center" });
}
