import { type ReactNode, type Ref, useLayoutEffect, useRef } from 'react'
import { useAccount } from '../../account/use-account.ts'
import { m } from '../../generated/paraglide/messages.js'
import { Icon } from '../../icons/icon.tsx'
import { AmountPanel } from './amount-panel.tsx'
import type { SwapFormState } from './use-swap-form.ts'

const FLIP_MS = 200

/** What is sold above, what is bought below, and between them the way to turn them round. */
export function SwapPanels({
  form: { trade, exact, sell, buy, type, flip },
  sellError,
  buyError,
  sellWay,
  sellInput,
}: {
  form: SwapFormState
  sellError: string | undefined
  buyError: string | undefined
  /** What helps against the error of what is sold. */
  sellWay: ReactNode
  sellInput: Ref<HTMLInputElement>
}) {
  const { signedIn } = useAccount()
  const [top, bottom] = useFlip(trade.inverse)
  return (
    <div className="flex flex-col">
      <AmountPanel
        ref={top}
        label={m.swap_sell()}
        isExact={exact === 'in'}
        value={sell.text}
        onChange={(text) => type('sell', text)}
        asset={sell.asset}
        available={sell.available}
        worth={sell.worth}
        error={sellError}
        way={sellWay}
        inputRef={sellInput}
        hasParts={signedIn}
      />
      <button
        type="button"
        aria-label={m.swap_flip()}
        title={m.swap_flip()}
        onClick={flip}
        className="relative z-1 mx-auto -my-3 inline-flex size-11 items-center justify-center rounded-full border border-edge/60 bg-raised text-accent transition-colors hover:border-accent"
      >
        <Icon name="arrow-up-down" />
      </button>
      <AmountPanel
        ref={bottom}
        label={m.swap_buy()}
        isExact={exact === 'out'}
        value={buy.text}
        onChange={(text) => type('buy', text)}
        asset={buy.asset}
        available={buy.available}
        worth={buy.worth}
        error={buyError}
      />
    </div>
  )
}

/** Shows where each side went when they are turned round; nothing moves for those who asked for less motion. */
function useFlip(turned: boolean) {
  const top = useRef<HTMLDivElement>(null)
  const bottom = useRef<HTMLDivElement>(null)
  const before = useRef(turned)
  useLayoutEffect(() => {
    if (before.current === turned) return
    before.current = turned
    if (!top.current || !bottom.current || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    const distance = bottom.current.getBoundingClientRect().top - top.current.getBoundingClientRect().top
    for (const [panel, from] of [
      [top.current, distance],
      [bottom.current, -distance],
    ] as const)
      panel.animate(
        [
          { transform: `translateY(${from}px)`, opacity: 0.4 },
          { transform: 'none', opacity: 1 },
        ],
        { duration: FLIP_MS, easing: 'cubic-bezier(0.22, 1, 0.36, 1)' },
      )
  }, [turned])
  return [top, bottom] as const
}
