import { Section } from '@clearwell/ui/components/card.tsx'
import { ListEnd } from '@clearwell/ui/components/list-end.tsx'
import { ListRow } from '@clearwell/ui/components/list-row.tsx'
import { Loaded } from '@clearwell/ui/components/pending.tsx'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { DemoMark } from '../../account/demo-mark.tsx'
import { m } from '../../generated/messages.ts'
import { type Click, useLatestClicks } from './blind-box.queries.ts'
import { CLICKS } from './blind-box.samples.ts'
import { powerText } from './box-text.ts'

/** Everyone's latest clicks, with shortened addresses. */
export function LatestClicks() {
  const clicks = useLatestClicks()
  return (
    <Section title={m.box_latest_clicks()} action={<DemoMark />}>
      <Loaded read={clicks} sample={CLICKS}>
        {(latest) =>
          latest.length === 0 ? (
            <p className="text-muted">{m.box_latest_clicks_none()}</p>
          ) : (
            <ul className="flex flex-col divide-y divide-line">
              {latest.map((click) => (
                <li key={`${click.created_at}${click.address}`}>
                  <ClickRow click={click} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <ListEnd {...clicks} />
    </Section>
  )
}

function ClickRow({ click: { address, level, streak, power, created_at } }: { click: Click }) {
  return (
    <ListRow
      title={<span className="font-mono text-secondary">{address}</span>}
      detail={m.box_click_detail({ lv: level, n: streak + 1 })}
      value={powerText(power)}
      valueDetail={formatDateTime(created_at)}
    />
  )
}
