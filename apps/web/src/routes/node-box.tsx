import { useReadSearch } from '../app/read-search.ts'
import { ClaimConfirmScreen } from '../features/blind-box/claim-confirm-screen.tsx'
import { ClaimScreen } from '../features/blind-box/claim-screen.tsx'
import { readChosenBoxes } from '../features/blind-box/claim-search.ts'
import { MyBoxes } from '../features/blind-box/my-boxes.tsx'
import { IncomeScreen } from '../features/node/income-screen.tsx'

/** The screens of rewards. They share their lists, so one file carries them. */

export { ClaimScreen as ClaimRoute }

export function ClaimConfirmRoute() {
  return <ClaimConfirmScreen chosen={useReadSearch(readChosenBoxes)} />
}

export function IncomeRoute() {
  return <IncomeScreen boxes={<MyBoxes />} />
}
