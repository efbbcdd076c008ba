import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { m } from '../generated/messages.ts'
import { resumeSwap, useInterruptedSwap } from './interrupted-swap.ts'
import { useAccount, useAccountAddress } from './use-account.ts'

/**
 * The next step after funds have arrived: back to the swap that waited for them, else to the activation, else to a swap.
 */
export function NextStepLink(): ReactNode {
  const { user } = useAccount()
  const owner = useAccountAddress()
  const swap = useInterruptedSwap(owner)
  if (swap)
    return (
      <Link
        to="/{-$locale}/swap/exchange"
        search={{ ...swap }}
        onClick={() => resumeSwap(owner)}
        className={buttonClass()}
      >
        {user?.activated === false ? m.account_activate_and_swap() : m.account_continue_swap()}
      </Link>
    )
  if (user?.activated === false)
    return (
      <Link to="/{-$locale}/swap/activate" className={buttonClass()}>
        {m.nav_activate_now()}
      </Link>
    )
  return (
    <Link to="/{-$locale}/swap/exchange" className={buttonClass()}>
      {m.nav_swap()}
    </Link>
  )
}
