import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Section } from '../../components/card.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { lazySheet } from '../../components/lazy-part.tsx'
import { ListEnd } from '../../components/list-end.tsx'
import { Loading, RowsSkeleton } from '../../components/skeleton-shapes.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { type Box, useBoxes } from './blind-box.queries.ts'
import { BoxRow } from './box-row.tsx'

const BoxSheet = lazySheet(() => import('./box-sheet.tsx'))

/** The user's boxes, newest first, each with its status; its sheet verifies the draw. */
export function MyBoxes({ title = m.box_mine() }: { title?: string }) {
  const boxes = useBoxes()
  const [opened, setOpened] = useState<Box>()
  const { data } = boxes
  return (
    <Section title={title}>
      {data ? (
        data.length === 0 ? (
          <>
            <p className="text-muted">{m.box_mine_none()}</p>
            <Link to="/{-$locale}/node/blindBox" className="inline-flex min-h-11 items-center self-start text-accent">
              {m.nav_blind_box()}
            </Link>
          </>
        ) : (
          <ul className="flex flex-col divide-y divide-line">
            {data.map((box) => (
              <li key={box.box_id}>
                <BoxRow box={box} onOpen={() => setOpened(box)} />
              </li>
            ))}
          </ul>
        )
      ) : boxes.isError ? (
        <ErrorState error={boxes.error} onRetry={boxes.refetch} />
      ) : (
        <Loading>
          <RowsSkeleton mark />
        </Loading>
      )}
      <ListEnd {...boxes} />
      {opened && <BoxSheet box={opened} onClose={() => setOpened(undefined)} />}
    </Section>
  )
}
