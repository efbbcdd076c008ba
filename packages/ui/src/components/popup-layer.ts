const ID = 'popups'

/**
 * Returns the container of everything that opens over the page. The layers, from the lowest (specification §9):
 *
 * 1. the page; its own layers (header, tabs, the action of a screen) have a z-index of 30 at most;
 * 2. this layer, z-index 2000, a separate stacking context; in it
 *    - sheets, drawers and menus, without a z-index: the later over the earlier;
 *    - dialogs and toasts, z-index 66: over every sheet, whichever came first; among them the later over the earlier.
 *
 * So a toast or a message is seen while a sheet is open. Hand it to a portal: `<Drawer.Portal container={popupLayer()}>`.
 */
export function popupLayer(): HTMLElement {
  const found = document.getElementById(ID)
  if (found) return found
  const layer = document.createElement('div')
  layer.id = ID
  layer.className = 'relative isolate z-2000'
  document.body.append(layer)
  return layer
}
