/** The page's look: light and dark as the reader's system has it, one column on narrow screens. */
export const STYLE = `
:root { --bg: #ffffff; --panel: #f6f7f9; --text: #1f2328; --dim: #626a73; --line: #d8dde3; --accent: #0b62c4; --good: #1a7f37;
  --bad: #c2242d; --busy: #8a5a00; --add: #e3f6e6; --del: #fdeaea; --add-mark: #1a7f37; --del-mark: #b32029; --screen: #f3f4f6;
  --key: #a626a4; --str: #2f7d32; --num: #a05a00; --fn: #0b62c4; --com: #68707a; --tag: #b3303a }
@media (prefers-color-scheme: dark) { :root { --bg: #16181d; --panel: #1e2128; --text: #dfe3ea; --dim: #98a1ae; --line: #343945;
  --accent: #6cb1ff; --good: #7bc77e; --bad: #ff8087; --busy: #e3b55c; --add: #1c3325; --del: #41232a; --add-mark: #7bc77e;
  --del-mark: #ff8087; --screen: #101216; --key: #cf9bf0; --str: #98c379; --num: #e0a870; --fn: #6cb1ff; --com: #8b94a1; --tag: #f08a92 } }
* { box-sizing: border-box }
html { color-scheme: light dark; scroll-padding-top: 1rem }
body { margin: 0 auto; max-width: 92rem; padding: 1rem 1.25rem 3rem; background: var(--bg); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif; overflow-wrap: anywhere }
pre, code, .path, .diff, .locations, .frame-head { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; font-size: 13px }
pre { margin: 0; white-space: pre-wrap; tab-size: 4 }
a { color: var(--accent) }
h1 { font-size: 1.3rem; margin: 0 }
p { margin: .25rem 0 }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
:target { outline: 2px solid var(--accent); outline-offset: 3px }
.dim, dd.dim, .path { color: var(--dim) }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
.skip { position: absolute; left: -99rem }
.skip:focus { left: 1rem; top: .5rem; background: var(--bg); padding: .25rem .5rem }
.summary { display: flex; flex-wrap: wrap; gap: .5rem; margin: .75rem 0 }
.summary > div { border: 1px solid var(--line); border-radius: 8px; padding: .35rem .8rem; background: var(--panel) }
.summary dt { font-size: 12px; color: var(--dim) }
.summary dd { margin: 0; font-weight: 600 }
.summary dd.dim { font-weight: 400; font-size: 12px }
.summary .bad dd:first-of-type, .bad { color: var(--bad) }
.session { margin: 1.25rem 0 .25rem; color: var(--dim); border-bottom: 1px solid var(--line) }
.row { display: grid; grid-template-columns: minmax(0, 1fr) 18rem; gap: 1.25rem; padding: .3rem 0 }
.row-note, .row-protocol { padding: 0 }
.row:has(> details.frames[open]) { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) }
.shown { position: relative; min-width: 0 }
.anchor { position: absolute; left: -1rem; top: .2rem; text-decoration: none; color: var(--dim); opacity: 0 }
.row:hover .anchor, .anchor:focus { opacity: 1 }
.bubble { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: .5rem .8rem; margin-top: .6rem }
.bubble > .text { font: inherit }
.who { font-size: 12px; color: var(--dim); margin: 0 }
.card { border: 1px solid var(--line); border-radius: 10px; overflow: hidden; background: var(--bg) }
.card > :not(.card-head, .diff-block, .terminal) { margin-left: .8rem; margin-right: .8rem }
.card-head { display: flex; align-items: baseline; gap: .5rem; padding: .45rem .8rem; background: var(--panel); border-bottom: 1px solid var(--line) }
.icon { width: 15px; height: 15px; flex: none; align-self: center; fill: none; stroke: var(--dim); stroke-width: 1.3; stroke-linecap: round; stroke-linejoin: round }
.kind { color: var(--dim); font-size: 13px }
.row-call .title { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; font-size: 13px }
.title { font-size: 14px; font-weight: 600; margin: 0; flex: 1; min-width: 0; white-space: pre-wrap }
.status { font-size: 12px; flex: none }
.status.completed, .good { color: var(--good) }
.status.failed { color: var(--bad) }
.status.in_progress, .status.pending { color: var(--busy) }
.locations { list-style: none; padding: 0; margin: .4rem 0; color: var(--accent) }
.diff-block > .path { padding: .3rem .8rem; margin: 0 }
.scroll { overflow-x: auto }
.diff { border-collapse: collapse; width: 100%; line-height: 1.45 }
.diff td { padding: 0 .4rem; vertical-align: top }
.diff .n { width: 1%; min-width: 2.6rem; text-align: right; color: var(--dim); user-select: none }
.diff .sign { width: 1%; user-select: none }
.diff .code { white-space: pre-wrap; tab-size: 4 }
.diff .added { background: var(--add) }
.diff .removed { background: var(--del) }
.added .sign, .added-count { color: var(--add-mark) }
.removed .sign, .removed-count { color: var(--del-mark) }
.diff .gap td { text-align: center; color: var(--dim); background: var(--panel); font-size: 12px }
.terminal { background: var(--screen) }
.terminal > .path { padding: .35rem .8rem 0; margin: 0; font-size: 12px }
.terminal pre { padding: .35rem .8rem; max-height: 30rem; overflow: auto }
.exit { padding: 0 .8rem .35rem; margin: 0; font-size: 12px }
.md { margin: .5rem 0 }
.md > :first-child, .md > :last-child { margin-top: 0; margin-bottom: 0 }
.md pre, .resource pre, .raw pre, .frames pre { background: var(--panel); border-radius: 6px; padding: .5rem .7rem; max-height: 26rem; overflow: auto }
.md :not(pre) > code { background: var(--panel); border-radius: 4px; padding: 0 .25rem }
.md table { border-collapse: collapse }
.md th, .md td { border: 1px solid var(--line); padding: .15rem .5rem }
.md blockquote { margin-left: 0; padding-left: .8rem; border-left: 3px solid var(--line); color: var(--dim) }
figure { margin: .5rem 0 }
img { max-width: 100%; max-height: 30rem; border: 1px solid var(--line) }
figcaption { font-size: 12px; color: var(--dim) }
summary { cursor: pointer; color: var(--dim); font-size: 13px }
.raw { margin-top: .3rem; margin-bottom: .4rem }
.thinking { padding: .1rem .8rem; border-left: 2px solid var(--line); color: var(--dim) }
.plan-card { padding: .45rem 0 }
.plan-card ul { list-style: none; padding: 0; margin-top: .3rem; margin-bottom: 0 }
.plan-card .done { color: var(--dim) }
.plan-card .sign { color: var(--good) }
.question { border: 1px solid var(--accent); border-radius: 10px; padding: .4rem .8rem; margin: .4rem 0 }
.question ul { display: flex; flex-wrap: wrap; gap: .4rem; list-style: none; padding: 0; margin: .3rem 0 }
.question li { border: 1px solid var(--line); border-radius: 6px; padding: .1rem .5rem }
.question .chosen { border-color: var(--accent); font-weight: 600 }
.ask, .outcome { margin: 0; white-space: pre-wrap }
.note { font-size: 13px; margin: .1rem 0; white-space: pre-wrap; max-height: 12rem; overflow: auto }
.findings { margin: .35rem 0; padding: .3rem .8rem .3rem 1.8rem; border-left: 3px solid var(--bad); background: var(--del); font-size: 13px }
.all-findings summary { color: var(--bad) }
.all-findings ol { max-height: 20rem; overflow: auto }
.frames { min-width: 0; font-size: 13px }
.frames ol { list-style: none; padding: 0; margin: .3rem 0 }
.frames li { margin-bottom: .5rem }
.frame-head { margin: 0; font-size: 12px }
.faulty { border-left: 3px solid var(--bad); padding-left: .5rem }
.hljs-keyword, .hljs-literal, .hljs-type, .hljs-doctag, .hljs-meta .hljs-keyword { color: var(--key) }
.hljs-string, .hljs-regexp, .hljs-addition, .hljs-attribute { color: var(--str) }
.hljs-number, .hljs-symbol, .hljs-bullet, .hljs-variable, .hljs-template-variable { color: var(--num) }
.hljs-title, .hljs-section, .hljs-built_in, .hljs-name { color: var(--fn) }
.hljs-comment, .hljs-quote, .hljs-meta { color: var(--com) }
.hljs-tag, .hljs-attr, .hljs-selector-tag, .hljs-deletion { color: var(--tag) }
${ansiColours()}
@media (max-width: 64rem) { .row, .row:has(> details.frames[open]) { grid-template-columns: minmax(0, 1fr); gap: .2rem } .anchor { left: auto; right: 0 } }
@media (max-width: 40rem) { body { padding: .6rem .6rem 2rem } .card-head { flex-wrap: wrap } .diff .n:first-child { display: none } }
@media print { .frames { display: none } .row { grid-template-columns: 1fr } .terminal pre { max-height: none } }
`

/** The sixteen colours of a terminal, readable on the screen of either scheme. */
function ansiColours(): string {
  const light = ['#1f2328', '#b3202a', '#1a7f37', '#8a5a00', '#0b55b0', '#8b2fa0', '#0b7285', '#6a727c']
  const dark = ['#7d8590', '#ff7b82', '#7bc77e', '#e3b55c', '#6cb1ff', '#cf9bf0', '#6fd0d8', '#dfe3ea']
  const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white']
  const rules = (colours: readonly string[]) =>
    names
      .map(
        (name, index) =>
          `.ansi-${name}-fg, .ansi-bright-${name}-fg { color: ${colours[index]} } .ansi-${name}-bg, .ansi-bright-${name}-bg { background: color-mix(in srgb, ${colours[index]} 30%, transparent) }`,
      )
      .join('\n')
  return `${rules(light)}\n@media (prefers-color-scheme: dark) { ${rules(dark)} }`
}
