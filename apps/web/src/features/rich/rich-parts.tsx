import { Link } from '@tanstack/react-router'
import { useAccount } from '../../account/use-account.ts'
import { isFinalRefusal } from '../../api/api-error.ts'
import { Button } from '../../components/button.tsx'
import { SheetFoot } from '../../components/sheet.tsx'
import { ConfirmButton, Problem, Warning } from '../../components/stage-parts.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatAmount, significantDecimals } from '../../i18n/format.ts'
import { refusedText } from './rich-refusal.ts'

/** Building blocks that these screens share. */

/** An amount of RT in a sentence: grouped, cut, with its asset. */
export function rtWords(amount: string): string {
  return `${formatAmount(amount, { decimals: significantDecimals(amount) })} RT`
}

/** A star in words. */
export function starWords(star: number): string {
  return star === 0 ? m.rich_star_zero() : m.rich_star({ n: String(star) })
}

/** Tells a signed-in user without an activation what is missing; the main button leads there. */
export function InactiveNote() {
  const { user } = useAccount()
  if (user?.activated !== false) return null
  return (
    <Warning
      text={
        <>
          <span className="block">{m.rich_not_activated()}</span>
          <Link
            to="/{-$locale}/swap/activate"
            className="-my-3 inline-block py-3 text-accent underline underline-offset-4"
          >
            {m.nav_activate_now()}
          </Link>
        </>
      }
    />
  )
}

/** Why a command failed, whether RT moved, and what to do next. */
export function CommandProblem({ error }: { error: Error | null }) {
  if (!error) return null
  return (
    <Problem text={refusedText(error)} detail={isFinalRefusal(error) ? m.ui_no_money_moved() : m.rich_press_again()} />
  )
}

/** The end of a sheet that asks for a confirmation. */
export function ConfirmFoot({
  label,
  confirms,
  busy,
  danger = false,
  onConfirm,
  onBack,
}: {
  label: string
  /** Identifies the confirmed figures. */
  confirms: string
  busy: boolean
  danger?: boolean
  onConfirm: () => void
  onBack: () => void
}) {
  return (
    <SheetFoot>
      <ConfirmButton confirms={confirms} label={label} danger={danger} busy={busy} onPress={onConfirm} />
      {!busy && (
        <Button look="quiet" onClick={onBack}>
          {m.app_cancel()}
        </Button>
      )}
    </SheetFoot>
  )
}
