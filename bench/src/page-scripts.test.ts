import { expect, test } from 'vitest'
import { scriptsOfHtml, scriptsRunBeforePaint, type TraceEvent } from './page-scripts.ts'

const URL = 'http://127.0.0.1:4000/'
const asset = (name: string) => `${URL}assets/${name}.js`

test("scripts inside the HTML count, blocking or not; other types don't", () => {
  const html = `
    <script>first()</script>
    <SCRIPT type="module">second()</SCRIPT >
    <script data-note="a > b" nonce='x'>third()</script>
    <script type="application/json">{"no": "script"}</script>
    <script type='application/ld+json'>{}</script>
    <script type="speculationrules">{}</script>
    <script type="importmap">{}</script>
    <!-- <script>commented()</script> -->`
  expect(scriptsOfHtml(html, URL)).toEqual({ inline: ['first()', 'second()', 'third()'], blocking: [] })
})

test('a script blocks the parser unless async, deferred or a module', () => {
  const html = `
    <script src="/mode.js"></script>
    <script src=plain.js></script>
    <script data-defer="no" src='/data.js'></script>
    <script defer src="/deferred.js"></script>
    <script async="" src="/async.js"></script>
    <script type="module" crossorigin src="/module.js"></script>
    <script src="/last.js" defer></script>`
  expect(scriptsOfHtml(html, `${URL}en/`)).toEqual({
    inline: [],
    blocking: [`${URL}mode.js`, `${URL}en/plain.js`, `${URL}data.js`],
  })
})

test('classic scripts count only if they ran before first paint', () => {
  const trace = [navigation(10), classic(20, asset('before')), paint(30), classic(40, asset('after'))]
  expect(scriptsRunBeforePaint(trace, URL)).toEqual([asset('before')])
})

test('modules count where a module ran before the paint, and each once', () => {
  const trace = [
    navigation(10),
    compiled(20, asset('main')),
    compiled(21, asset('shared')),
    ran(25),
    compiled(26, asset('lazy')),
    classic(27, asset('main')),
    paint(30),
    ran(40),
  ]
  expect(scriptsRunBeforePaint(trace, URL)).toEqual([asset('main'), asset('shared')])
})

test('modules that are only compiled before the paint do not count', () => {
  expect(scriptsRunBeforePaint([navigation(10), compiled(20, asset('main')), paint(30), ran(31)], URL)).toEqual([])
})

test("other pages' and processes' scripts do not count", () => {
  const trace = [
    navigation(1, 'chrome://newtab/'),
    classic(2, asset('earlier')),
    paint(3),
    navigation(10),
    classic(11, URL),
    classic(12, 'chrome-extension://x/y.js'),
    classic(13, ''),
    { ...classic(14, asset('elsewhere')), pid: 8 },
    { ...paint(15), args: { frame: 'an iframe' } },
    classic(16, asset('home')),
    paint(30),
  ]
  expect(scriptsRunBeforePaint(trace, URL)).toEqual([asset('home')])
})

test('events count by their time, however the trace orders them', () => {
  const trace = [paint(30), classic(40, asset('after')), classic(20, asset('before')), navigation(10)]
  expect(scriptsRunBeforePaint(trace, URL)).toEqual([asset('before')])
})

test('a page that never painted has no figure', () => {
  expect(() => scriptsRunBeforePaint([navigation(10), classic(20, asset('main'))], URL)).toThrow('no first paint')
  expect(() => scriptsRunBeforePaint([navigation(10, 'http://127.0.0.1:5/'), paint(20)], URL)).toThrow('no first paint')
})

function event(name: string, ts: number, args: TraceEvent['args']): TraceEvent {
  return { name, ts, pid: 7, ...(args ? { args } : {}) }
}

function navigation(ts: number, documentLoaderURL = URL): TraceEvent {
  return event('navigationStart', ts, { frame: 'main', data: { documentLoaderURL } })
}

function paint(ts: number): TraceEvent {
  return event('firstContentfulPaint', ts, { frame: 'main' })
}

function classic(ts: number, url: string): TraceEvent {
  return event('EvaluateScript', ts, { data: { url } })
}

function compiled(ts: number, url: string): TraceEvent {
  return event('v8.compileModule', ts, { data: { url } })
}

function ran(ts: number): TraceEvent {
  return event('v8.evaluateModule', ts, undefined)
}
