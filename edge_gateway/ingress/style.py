"""The page's style: for a phone first, dark and light by the reader's own setting, nothing from elsewhere."""

STYLE = """
:root { color-scheme: light dark; --ground: #f2f4f3; --card: #fff; --text: #1b211d; --soft: #5b655e; --line: #dde3df;
  --good: #1c7c3c; --warn: #9a5b00; --bad: #b3261e; --warn-ground: #fff3dc; --bad-ground: #fdeceb; --accent: #1c6b4a; }
@media (prefers-color-scheme: dark) { :root { --ground: #101412; --card: #1a201d; --text: #e4e9e6; --soft: #9aa59e;
  --line: #2c3530; --good: #6fcf8f; --warn: #f0b45a; --bad: #ff8a80; --warn-ground: #33280f; --bad-ground: #381a18;
  --accent: #7fd0a8; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.45 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem .75rem 3rem; }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem .75rem; padding: .25rem .25rem .75rem; }
h1 { font-size: 1.35rem; margin: 0; }
h2 { font-size: 1.02rem; margin: 0 0 .5rem; }
section { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: .9rem 1rem;
  margin: 0 0 .75rem; }
p { margin: .25rem 0; }
a { color: var(--accent); }
.soft { color: var(--soft); font-size: .88rem; }
.good { color: var(--good); } .warn { color: var(--warn); } .bad { color: var(--bad); }
.says { border-radius: .5rem; padding: .5rem .65rem; margin: .4rem 0; background: var(--warn-ground); }
.says.bad { background: var(--bad-ground); color: inherit; }
ul { list-style: none; margin: 0; padding: 0; }
li { padding: .45rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
li:first-child { border-top: 0; }
.row { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .1rem .75rem; }
.chips { display: flex; flex-wrap: wrap; gap: .35rem; margin: .4rem 0; }
.chip { border: 1px solid var(--line); border-radius: 1rem; padding: .1rem .6rem; font-size: .88rem; }
meter { width: 100%; height: .7rem; }
.right { text-align: right; margin-left: auto; }
.links { display: flex; flex-wrap: wrap; gap: 0 .75rem; }
.log { max-height: 22rem; overflow: auto; font: .76rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
.log div { padding: .1rem 0 .1rem 1em; text-indent: -1em; }
@media (min-width: 48rem) { .two { display: grid; grid-template-columns: 1fr 1fr; gap: 0 .75rem; align-items: start; } }
"""
