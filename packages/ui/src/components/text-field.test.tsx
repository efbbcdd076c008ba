import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { TextField } from './text-field.tsx'

test.each([
  ['no error', undefined, '6 to 20 digits'],
  ['an error', 'Invalid input', 'Invalid input 6 to 20 digits'],
])('with %s the field shows its rule', (_case, error, note) => {
  const html = renderToStaticMarkup(
    <TextField label="UID" value="1" onChange={() => {}} hint="6 to 20 digits" error={error} />,
  )
  expect(html.replace(/^.*<p[^>]*>/, '').replaceAll(/<[^>]*>/g, '')).toBe(note)
})
