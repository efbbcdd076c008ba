/** Loads the page again. The only way there, so that a test can watch it. */
export function reloadPage(): void {
  location.reload()
}
