import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { Section } from '@clearwell/ui/components/card.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { lazySheet } from '@clearwell/ui/components/lazy-part.tsx'
import { ListEnd } from '@clearwell/ui/components/list-end.tsx'
import { Loaded } from '@clearwell/ui/components/pending.tsx'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { m } from '../../generated/messages.ts'
import { type Box, useBoxes } from './blind-box.queries.ts'
import { BOXES } from './blind-box.samples.ts'
import { BoxRow } from './box-row.tsx'

const BoxSheet = lazySheet(() => import('./box-sheet.tsx'))

/** The user's boxes, newest first, each with its status; its sheet verifies the draw. */
export default function MyBoxes({
  title = m.box_mine(),
  none = <NoBoxes />,
}: {
  /** `null` where something above the list names it. */
  title?: string | null
  /** In place of the whole list while it is empty. */
  none?: ReactNode
}) {
  const boxes = useBoxes()
  const [opened, setOpened] = useState<Box>()
  const { data } = boxes
  if (data?.length === 0) return none
  return (
    <Section {...(title === null ? {} : { title })}>
      <Loaded read={boxes} sample={BOXES}>
        {(listed) => (
          <ul className="flex flex-col divide-y divide-line">
            {listed.map((box) => (
              <li key={box.box_id}>
                <BoxRow box={box} onOpen={() => setOpened(box)} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <ListEnd {...boxes} />
      {opened && <BoxSheet box={opened} onClose={() => setOpened(undefined)} />}
    </Section>
  )
}

function NoBoxes() {
  return (
    <EmptyState
      icon="box"
      title={m.box_mine_none()}
      text={m.box_mine_none_text()}
      action={
        <Link to="/{-$locale}/node/blindBox" className={buttonClass()}>
          {m.box_see()}
        </Link>
      }
    />
  )
}
