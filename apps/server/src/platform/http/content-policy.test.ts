import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { contentPolicy } from './content-policy.ts'

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
/** One directive of the policy for these pages. */
function directive(name: string, pages: readonly string[], connectOrigins: readonly string[] = []): string {
  const found = contentPolicy(pages, connectOrigins)
    .split(';')
    .filter((each) => each.split(' ')[0] === name)
  expect(found).toHaveLength(1)
  return String(found[0])
}

test('the policy without a page allows nothing inline', () => {
  expect(contentPolicy([], ['https://rpc.example', 'wss://relay.example'])).toBe(
    "default-src 'none';script-src 'self';worker-src 'self';style-src 'self';img-src 'self' data: blob:;font-src 'self';" +
      "connect-src 'self' https://rpc.example wss://relay.example;manifest-src 'self';base-uri 'none';" +
      "form-action 'none';frame-ancestors 'none'",
  )
})

// Source: echo -n 'alert(1)' | openssl dgst -sha256 -binary | base64
test('the policy’s hash matches openssl', () => {
  expect(directive('script-src', ['<script>alert(1)</script>'])).toBe(
    "script-src 'self' 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='",
  )
})

test.each([
  ['one script', '<script>a()</script>', ['a()'], []],
  ['scripts and styles, each in its own list', '<style>p{}</style><script>a()</script>', ['a()'], ['p{}']],
  ['white space, to the letter', '<script>\n  a()\t</script>', ['\n  a()\t'], []],
  ['ends of lines as a browser reads them', '<script>a()\r\nb()\rc()</script>', ['a()\nb()\nc()'], []],
  ['attributes', '<script type="module" data-a=">">a()</script><style media=\'>\'>p{}</style>', ['a()'], ['p{}']],
  ['capitals', '<SCRIPT>a()</Script ><STYLE>p{}</style>', ['a()'], ['p{}']],
  ['a script that speaks of comments', '<script>"<!--"</script><script>"-->"</script>', ['"<!--"', '"-->"'], []],
  ['a script that speaks of styles', '<script>"<style>p{}</style>"</script>', ['"<style>p{}</style>"'], []],
  ['letters beyond ASCII', '<script>say("啟用")</script>', ['say("啟用")'], []],
  ['data for scripts', '<script type="application/json">{"src":1}</script>', ['{"src":1}'], []],
  ['data named like an address', '<script data-src="x">a()</script>', ['a()'], []],
])('%s: the policy allows exactly the inline code', (_name, page, scripts, styles) => {
  const list = (name: string, texts: readonly string[]) => [name, "'self'", ...texts.map(sha256)].join(' ')
  expect(directive('script-src', [page])).toBe(list('script-src', scripts))
  expect(directive('style-src', [page])).toBe(list('style-src', styles))
})

test.each([
  ['a script from an address', '<script type="module" crossorigin src="/assets/a.js"></script>'],
  ['a script from an address, in capitals', '<script SRC = a.js></script>'],
  ['a script in a comment', '<!-- <script>a()</script> -->'],
  ['an element of another name', '<scripts>a()</scripts><style-guide>p{}</style-guide>'],
])('%s is not inline', (_name, page) => {
  expect(contentPolicy([page], [])).toBe(contentPolicy([], []))
})

test('the policy allows shared inline code once, never unsafe-inline or unsafe-eval', () => {
  const page = (own: string) => `<style>p{}</style><script>shared()</script><script>${own}</script>`
  const pages = [page('a()'), page('b()')]
  expect(directive('script-src', pages)).toBe(
    `script-src 'self' ${sha256('shared()')} ${sha256('a()')} ${sha256('b()')}`,
  )
  expect(directive('style-src', pages)).toBe(`style-src 'self' ${sha256('p{}')}`)
  expect(contentPolicy(pages, [])).not.toContain('unsafe')
})
