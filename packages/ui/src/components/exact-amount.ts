import { showToast } from './toast-store.ts'

/** Controls keep their own action when an amount inside of them is tapped. */
const CONTROLS = 'a, button, label, input, summary, [role="button"], [role="option"]'

/**
 * Shows all decimals of a cut amount in a toast when it is tapped. One listener for the page: an amount is text, so it gets
 * no handler and no focus, and one inside a button or link keeps that control's action.
 *
 * @returns the function that stops it.
 */
export function followTapsOnAmounts(): () => void {
  const show = ({ target }: Event) => {
    if (!(target instanceof Element)) return
    const exact = target.closest<HTMLElement>('[data-exact]')?.dataset.exact
    if (exact !== undefined && !target.closest(CONTROLS)) showToast(exact)
  }
  document.addEventListener('click', show)
  return () => document.removeEventListener('click', show)
}
