import { AmountField } from '@clearwell/ui/components/amount-field.tsx'
import { Button } from '@clearwell/ui/components/button.tsx'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { Sheet, SheetFoot } from '@clearwell/ui/components/sheet.tsx'
import { formatPercent } from '@clearwell/ui/i18n/format.ts'
import { useState } from 'react'
import { m } from '../../generated/messages.ts'
import {
  DEADLINE_PRESETS,
  deadlineMinutesOf,
  fractionOfBps,
  SLIPPAGE_PRESETS,
  slippageBpsOf,
  slippageRisk,
  swapSettingsStore,
} from './swap-settings.ts'

const CUSTOM = 'custom'

/** Slippage tolerance and deadline of swaps. */
export default function SwapSettingsSheet({ onClose }: { onClose: () => void }) {
  const kept = swapSettingsStore.get()
  const [slippage, setSlippage] = useState(kept.slippagePercent)
  const [minutes, setMinutes] = useState(kept.deadlineMinutes)
  const bps = slippageBpsOf(slippage)
  const deadline = deadlineMinutesOf(minutes)
  const risk = bps === undefined ? undefined : slippageRisk(bps)

  function save(): void {
    if (bps === undefined || deadline === undefined) return
    swapSettingsStore.set({ slippagePercent: slippage.replace(/\.$/, ''), deadlineMinutes: minutes })
    onClose()
  }

  return (
    <Sheet title={m.swap_settings()} onClose={onClose}>
      <Choice
        title={m.swap_slippage()}
        text={m.swap_slippage_text()}
        presets={SLIPPAGE_PRESETS.map((percent) => ({
          value: percent,
          label: formatPercent(fractionOfBps(slippageBpsOf(percent) ?? 0n)),
        }))}
        value={slippage}
        onChange={setSlippage}
        unit="%"
        decimals={2}
        error={bps === undefined ? m.swap_slippage_invalid() : undefined}
      />
      {risk && <p className="text-warn">{risk === 'tight' ? m.swap_slippage_tight() : m.swap_slippage_loose()}</p>}
      <Choice
        title={m.swap_deadline()}
        text={m.swap_deadline_text()}
        presets={DEADLINE_PRESETS.map((value) => ({ value, label: m.swap_minutes({ minutes: value }) }))}
        value={minutes}
        onChange={setMinutes}
        unit={m.swap_minutes_unit()}
        decimals={0}
        error={deadline === undefined ? m.swap_deadline_invalid() : undefined}
      />
      <SheetFoot>
        <Button onClick={save} disabled={bps === undefined || deadline === undefined}>
          {m.swap_settings_save()}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}

/** A few presets and a custom value, which is typed. */
function Choice({
  title,
  text,
  presets,
  value,
  onChange,
  unit,
  decimals,
  error,
}: {
  title: string
  text: string
  presets: readonly { value: string; label: string }[]
  value: string
  onChange: (value: string) => void
  unit: string
  decimals: number
  error: string | undefined
}) {
  const [isCustom, setCustom] = useState(presets.every((preset) => preset.value !== value))
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h3 className="font-semibold">{title}</h3>
      <p className="text-label text-muted">{text}</p>
      <SegmentedControl
        label={title}
        options={[...presets, { value: CUSTOM, label: m.swap_own_value() }]}
        value={isCustom ? CUSTOM : value}
        onChange={(chosen) => {
          setCustom(chosen === CUSTOM)
          if (chosen !== CUSTOM) onChange(chosen)
        }}
      />
      {isCustom && (
        <AmountField
          label={m.swap_own_value_of({ name: title })}
          value={value}
          onChange={(typed) => onChange(decimals === 0 ? typed.replace('.', '') : typed)}
          asset={unit}
          decimals={decimals}
          error={error}
        />
      )}
    </section>
  )
}
