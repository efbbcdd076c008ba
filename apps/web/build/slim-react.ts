import type { ESTree, Plugin } from 'vite'

/** Where React DOM has the code that this plugin removes. */
const FILE = '/react-dom/cjs/react-dom-client.production.js'
const MISSING = 'throw Error("build/slim-react.ts removed this part of React")'

/** New bodies of functions that belong to parts of React that the app does not use. */
const BODIES: Readonly<Record<string, string>> = {
  // View transitions: without a <ViewTransition> there is nothing to name, measure or restore.
  ...bodies('', [
    'commitAppearingPairViewTransitions',
    'commitDeletedPairViewTransitions',
    'commitEnterViewTransitions',
    'commitExitViewTransitions',
    'commitNestedViewTransitions',
    'measureNestedViewTransitions',
    'restoreEnterOrExitViewTransitions',
    'restoreNestedViewTransitions',
    'restorePairedViewTransitions',
    'restoreViewTransitionOnHostInstances',
  ]),
  ...bodies(MISSING, [
    'applyViewTransitionName',
    'applyViewTransitionToHostInstances',
    'createViewTransitionInstance',
    'measureViewTransitionHostInstancesRecursive',
    'restoreViewTransitionName',
    'scheduleViewTransitionEvent',
    'startViewTransition',
  ]),
  // <SuspenseList>, <Activity>, refs of fragments, actions of forms, custom elements.
  ...bodies(MISSING, [
    'FragmentInstance',
    'commitNewChildToFragmentInstance',
    'cutOffTailIfNeeded',
    'deleteChildFromFragmentInstance',
    'ensureFormComponentIsStateful',
    'mountActionState',
    'rerenderActionState',
    'setPropOnCustomElement',
    'startHostTransition',
    'updateActionState',
    'updateActivityComponent',
    'updateSuspenseListComponent',
  ]),
  // Style sheets, scripts and hints that React would load: Vite loads ours. Only <title> and <meta> move into the head.
  getResource: `if ("title" === type || "meta" === type) return null; ${MISSING}`,
  ...bodies(MISSING, [
    'acquireResource',
    'estimateBandwidth',
    'insertStylesheet',
    'insertStylesheetIntoRoot',
    'preconnect',
    'prefetchDNS',
    'preinitModuleScript',
    'preinitScript',
    'preinitStyle',
    'preload',
    'preloadModule',
    'suspendResource',
  ]),
  // The browser's sign that an asynchronous transition is running: the app has none.
  defaultOnDefaultTransitionIndicator: '',
  // React calls a component again to learn its line in a stack. Its name is enough.
  describeNativeComponentFrame: 'return describeBuiltInComponentFrame(fn.displayName || fn.name || "")',
}
/** Methods of this object are removed: nothing creates it. */
const REMOVED_OBJECT = 'FragmentInstance'

/**
 * Removes the parts of React DOM that the app does not use: a tenth of its code, which its own package cannot drop because
 * it is one file. A removed function throws when it is called. A version of React without one of the functions fails the
 * build, so read the new code and adjust the list when you update React.
 */
export function slimReact(): Plugin {
  return {
    name: 'clearwell-slim-react',
    apply: 'build',
    transform(code, id) {
      if (!id.endsWith(FILE)) return
      return { code: slim(code, this.parse(code).body), map: null }
    },
  }
}

/** @param body the statements of `code`. */
function slim(code: string, body: ESTree.Program['body']): string {
  const unseen = new Set(Object.keys(BODIES))
  let slimmed = ''
  let end = 0
  for (const statement of body) {
    if (isMethodOf(REMOVED_OBJECT, code.slice(statement.start, statement.end))) {
      slimmed += code.slice(end, statement.start)
      end = statement.end
    }
    if (statement.type !== 'FunctionDeclaration' || !statement.body || !statement.id) continue
    const replacement = BODIES[statement.id.name]
    if (replacement === undefined) continue
    unseen.delete(statement.id.name)
    slimmed += `${code.slice(end, statement.body.start)}{${replacement}}`
    end = statement.body.end
  }
  if (unseen.size > 0) throw new Error(`build/slim-react.ts: React DOM has no ${[...unseen].join(', ')}`)
  return slimmed + code.slice(end)
}

function isMethodOf(name: string, statement: string): boolean {
  return statement.startsWith(`${name}.prototype.`)
}

function bodies(body: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, body]))
}
