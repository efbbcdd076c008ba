import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ConfirmButton } from './confirm-button.tsx'

const draw = (busy: boolean) =>
  renderToStaticMarkup(<ConfirmButton confirms="review" label="Swap" busy={busy} onPress={() => {}} />)

test('what has only just come up takes no press, and says so without being disabled, which would lose the focus', () => {
  expect(draw(false)).toMatch(/^<button(?=[^>]* aria-disabled="true")(?![^>]* (aria-busy|disabled)=)/)
  expect(draw(true)).toMatch(/^<button(?=[^>]* aria-disabled="true")(?=[^>]* aria-busy="true")/)
})
