import { expect, test } from 'vitest'
import { stylesOfPage } from './styles-of-page.ts'

const PAGE = '<html><body><button class="a hover:b w-[calc(1px+2px)]">+</button></body></html>'

test.each([
  [
    'classes and elements of the page',
    '.a{color:red}.z{color:red}button{margin:0}table{margin:0}',
    '.a{color:red}button{margin:0}',
  ],
  ['one selector of several', '.a,.z{color:red}', '.a{color:red}'],
  [
    'escaped names',
    String.raw`.hover\:b:hover{color:red}.hover\:z:hover{color:red}`,
    String.raw`.hover\:b:hover{color:red}`,
  ],
  [
    'names with brackets',
    String.raw`.w-\[calc\(1px\+2px\)\]{width:3px}`,
    String.raw`.w-\[calc\(1px\+2px\)\]{width:3px}`,
  ],
  [
    'a class in :where()',
    ':where(.a>:not(:last-child)){color:red}:where(.z>*){color:red}',
    ':where(.a>:not(:last-child)){color:red}',
  ],
  ['alternatives', '.a:is(.y,.z){color:red}.a:not(.z){color:red}', '.a:is(.y,.z){color:red}.a:not(.z){color:red}'],
  [
    'attributes',
    'html[data-mode=light]{color:red}[data-z=".z"]{color:red}',
    'html[data-mode=light]{color:red}[data-z=".z"]{color:red}',
  ],
  ['the order of layers', '@layer c;@layer u{.z{color:red}}.a{color:red}', '@layer c;.a{color:red}'],
  [
    'variables that are read',
    ':root{--a:var(--b);--b:1px;--z:var(--y);--y:1px}.a{top:var(--a)}',
    ':root{--a:var(--b);--b:1px}.a{top:var(--a)}',
  ],
  [
    'animations that are used',
    '.a{animation:b 1s}@keyframes b{50%{top:0}}@keyframes z{to{top:0}}',
    '.a{animation:b 1s}@keyframes b{50%{top:0}}',
  ],
  ['no parts of fields', '::placeholder{color:red}::-webkit-search-decoration{color:red}', ''],
])('a page keeps %s', (_, styles, kept) => {
  expect(stylesOfPage(PAGE, styles)).toBe(kept)
})
