import { Button } from '@clearwell/ui/components/button.tsx'
import { Card, Section as GroundSection } from '@clearwell/ui/components/card.tsx'
import { CandleChart } from '@clearwell/ui/components/chart/candle-chart.tsx'
import { ChartViewButton } from '@clearwell/ui/components/chart/chart-view.tsx'
import { TimeChart } from '@clearwell/ui/components/chart/time-chart.tsx'
import { ConfirmSheet } from '@clearwell/ui/components/confirm-sheet.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { FactGrid } from '@clearwell/ui/components/fact-grid.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { Line } from '@clearwell/ui/components/line.tsx'
import { ListEnd } from '@clearwell/ui/components/list-end.tsx'
import { ListRow } from '@clearwell/ui/components/list-row.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { ProgressSteps } from '@clearwell/ui/components/progress-steps.tsx'
import QrCode from '@clearwell/ui/components/qr-code.tsx'
import { QrFrame } from '@clearwell/ui/components/qr-frame.tsx'
import { Sheet } from '@clearwell/ui/components/sheet.tsx'
import { Skeleton } from '@clearwell/ui/components/skeleton.tsx'
import { showError, showToast } from '@clearwell/ui/components/toast-store.ts'
import { withWholeParts } from '@clearwell/ui/components/whole-parts.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { useState } from 'react'
import { NoResponseError } from '../src/api/api-error.ts'
import { FIRST_PAINT_ICONS } from '../src/app/first-paint-icons.ts'
import { screens } from '../src/app/screens.ts'
import { PriceStateBadge, PriceStateText } from '../src/components/price-state.tsx'
import { ShareReceipt } from '../src/components/share-receipt.tsx'
import { TokenMark } from '../src/components/token-mark.tsx'
import type { Screen as ManifestScreen } from '../src/manifest/screens.ts'
import { Example, Row, Section, sample } from './section.tsx'

const facts = () => [
  { label: sample('賣出', 'Sell'), value: '1 BNB' },
  { label: sample('最少得到', 'At least'), value: '598.1234 USDT' },
]

export function Lists() {
  const steps = (['done', 'now', 'todo', 'failed'] as const).map((state) => ({ label: state, state }))
  const end = {
    hasNextPage: true,
    isFetchingNextPage: false,
    isFetchNextPageError: false,
    fetchNextPage: async () => {},
  }
  return (
    <Section title="Lists">
      <Example name="Card: default, with title and action">
        <Card>{sample('內容', 'Content')}</Card>
        <Card title={sample('標題', 'Title')} action={<Button look="quiet">{sample('全部', 'All')}</Button>}>
          {sample('內容', 'Content')}
        </Card>
      </Example>
      <Example name="FactList">
        <FactList facts={facts()} />
      </Example>
      <Example name="FactGrid">
        <FactGrid facts={facts()} />
      </Example>
      <Example name="QrFrame, until the code is computed">
        <QrFrame />
      </Example>
      <Example name="QrCode">
        <QrCode text="0x00000000000000000000000000000000000000AA" label={sample('二維碼', 'QR code')} />
      </Example>
      <Example name="ShareReceipt">
        <ShareReceipt
          receipt={{
            title: sample('閃兌', 'Swap'),
            amounts: [{ amount: '598.1234', asset: 'USDT' }],
            facts: facts(),
            fileName: 'receipt.png',
          }}
        />
      </Example>
      <Example name="Section: a list on the ground">
        <GroundSection title={sample('資產', 'Assets')} className="divide-y divide-line">
          <ListRow title="BNB" detail="BNB Chain" value="1.5" valueDetail="≈ 900 USDT" />
          <ListRow title="USDT" detail="Tether" value="250" valueDetail="≈ 250 USDT" />
        </GroundSection>
      </Example>
      <Example name="Line: the start and the end of a row">
        <Line start="BNB" end="1.5" />
      </Example>
      <Example name="withWholeParts: an amount, an address and a date keep to one line">
        <p className="w-40">
          {withWholeParts(
            sample(
              '請於 2026年12月3日 14:05 前向 0x71c7…976f 支付 1,234.5 USDT',
              'Pay 1,234.5 USDT to 0x71c7…976f by 3 Dec 2026 14:05',
            ),
          )}
        </p>
      </Example>
      <Example name="ListRow: text, with figures, as a button">
        <ListRow title={sample('轉入', 'Transfer in')} />
        <ListRow icon="coins" title="BNB" detail={sample('可用', 'Available')} value="1.5" valueDetail="≈ 900 USDT" />
        <ListRow icon="history" title={sample('紀錄', 'History')} onClick={() => showToast('ListRow')} />
      </Example>
      <Example name="ListEnd: more, loading, failed">
        <ListEnd {...end} />
        <ListEnd {...end} isFetchingNextPage />
        <ListEnd {...end} isFetchNextPageError />
      </Example>
      <Example name="ProgressSteps">
        <ProgressSteps label={sample('進度', 'Progress')} steps={steps} />
      </Example>
    </Section>
  )
}

export function States() {
  const error = new NoResponseError('gallery')
  const retry = async () => ({ isError: true, error })
  return (
    <Section title="States">
      <Example name="Pending">
        <Pending>
          <Card title={sample('借貸', 'Loan')}>
            <FactList
              facts={[
                { label: sample('總欠款', 'Total debt'), value: '390.5 USDT' },
                { label: sample('抵押品', 'Collateral'), value: '1 BNB' },
              ]}
            />
          </Card>
          <Button>{sample('還款', 'Repay')}</Button>
        </Pending>
      </Example>
      <Example name="QrFrame: until the code is computed">
        <QrFrame />
      </Example>
      <Example name="Skeleton, while a screen’s own code loads">
        <Skeleton className="h-8 w-40" />
      </Example>
      <Example name="PriceState: apart, one source, stale, unknown">
        {(['apart', 'one_source', 'stale', 'unknown'] as const).map((state) => (
          <div key={state}>
            <PriceStateBadge state={state} />
            <PriceStateText state={state} />
          </div>
        ))}
      </Example>
      <Example name="EmptyState">
        <EmptyState
          icon="history"
          title={sample('未有紀錄', 'No entries yet')}
          text={sample('交易會顯示在這裏。', 'Your transactions appear here.')}
          action={<Button look="quiet">{sample('轉入', 'Transfer in')}</Button>}
        />
      </Example>
      <Example name="ErrorState: a read, no money moved, unknown">
        <ErrorState error={error} onRetry={retry} />
        <ErrorState error={error} moneyMoved="no" />
        <ErrorState error={error} moneyMoved="unknown" />
      </Example>
    </Section>
  )
}

type Open = 'sheet' | 'menu' | 'confirm' | 'danger' | 'busy'

export function Overlays() {
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const title = sample('確認閃兌', 'Confirm swap')
  const confirm = { title, facts: facts(), onConfirm: close, onClose: close, busy: false }
  return (
    <Section title="Overlays">
      <Row>
        {(['sheet', 'menu', 'confirm', 'danger', 'busy'] as const).map((each) => (
          <Button key={each} look="quiet" onClick={() => setOpen(each)}>
            {each}
          </Button>
        ))}
        <Button look="quiet" onClick={() => showToast(sample('已複製', 'Copied'))}>
          toast
        </Button>
        <Button look="quiet" onClick={() => showError(new NoResponseError('gallery'))}>
          message
        </Button>
      </Row>
      {open === 'sheet' && (
        <Sheet title={title} text={sample('說明', 'An explanation')} onClose={close}>
          <FactList facts={facts()} />
        </Sheet>
      )}
      {open === 'menu' && (
        <Sheet title={title} from="side" onClose={close}>
          <FactList facts={facts()} />
        </Sheet>
      )}
      {open === 'confirm' && <ConfirmSheet {...confirm} />}
      {open === 'danger' && <ConfirmSheet {...confirm} danger warning={sample('不能取消', 'This cannot be undone')} />}
      {/* A busy sheet is locked: closing is a reload of the page. */}
      {open === 'busy' && <ConfirmSheet {...confirm} busy />}
    </Section>
  )
}

const MINUTE_MS = 60_000
const START_MS = Date.parse('2030-01-01T00:00:00Z')
const timeAt = (index: number) => new Date(START_MS + index * 15 * MINUTE_MS).toISOString()
const closeAt = (index: number) => String(600 + ((index * 37) % 23))
const POINTS = Array.from({ length: 48 }, (_, index) => ({ time: timeAt(index), value: closeAt(index) }))
const CANDLES = Array.from({ length: 48 }, (_, index) => ({
  time: timeAt(index),
  open: closeAt(index),
  high: '630',
  low: '595',
  close: closeAt(index + 1),
  volume: String(1 + (index % 5)),
}))
const FORMATS = { price: (value: string) => value, decimals: 2, base: 'BNB' }

export function Charts() {
  const label = sample('BNB/USDT 走勢', 'BNB/USDT over time')
  return (
    <Section title="Charts">
      <Example name="TimeChart: area, line">
        <TimeChart label={label} points={POINTS} formatValue={(value) => value} />
        <TimeChart label={label} points={POINTS} formatValue={(value) => value} type="line" />
      </Example>
      <Example name="TimeChart with few points, without points">
        <TimeChart label={label} points={POINTS.slice(0, 5)} formatValue={(value) => value} />
        <TimeChart label={label} points={[]} formatValue={(value) => value} />
      </Example>
      <Example name="ChartViewButton: line, candles">
        <Row>
          <ChartViewButton view="line" onView={() => {}} />
          <ChartViewButton view="candles" onView={() => {}} />
        </Row>
      </Example>
      <Example name="CandleChart">
        <CandleChart label={label} candles={CANDLES} older={{ state: 'end', load: () => {} }} formats={FORMATS} />
      </Example>
    </Section>
  )
}

const MENU_ICONS = Object.values<ManifestScreen>(screens).flatMap(({ menu }) => menu?.icon ?? [])

export function Icons() {
  return (
    <Section title="Icons">
      <Example name="TokenMark (needs the server)">
        <Row>
          {['BNB', 'USDT', 'ETH', 'RT', 'XYZ'].map((asset) => (
            <TokenMark key={asset} asset={asset} />
          ))}
        </Row>
      </Example>
      <Example name="In the first script">
        <Row>
          {FIRST_PAINT_ICONS.map((name) => (
            <span key={name} title={name}>
              <Icon name={name} />
            </span>
          ))}
        </Row>
      </Example>
      <Example name="Of the menu, from the icon service (needs the server)">
        <Row>
          {MENU_ICONS.map((name) => (
            <span key={name} title={name}>
              <Icon name={name} />
            </span>
          ))}
        </Row>
      </Example>
    </Section>
  )
}
