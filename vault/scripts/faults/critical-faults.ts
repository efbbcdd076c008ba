import { type Fault, faultOf } from './find-faults.ts'
import type { SourceFile } from './syntax-tree.ts'

/** The path of money that a fault breaks, the file, its code, and the code with the fault. */
type CriticalFault = readonly [path: string, file: string, code: string, instead: string]

/** Faults that pay too much, too early or twice, chosen by hand. Each is tried in every run. */
const CRITICAL: readonly CriticalFault[] = [
  ['withdraw', 'Payments.sol', '_usedNonces.set(voucher.nonce);', ''],
  ['withdraw', 'Payments.sol', 'totals.paid += voucher.amount.toUint128();', ''],
  ['withdraw', 'Payments.sol', 'balance.paid = (balance.paid + voucher.amount).toUint112();', ''],
  ['withdraw', 'Payments.sol', 'since < figures.locked ? figures.locked - since : 0', 'figures.locked'],
  ['withdraw', 'Payments.sol', 'if (voucher.amount > left) revert WithdrawalExceedsLocked(voucher.amount, left);', ''],
  ['withdraw', 'Payments.sol', 'if (_newest.seq > account.floor) account.floor', 'account.floor'],
  [
    'withdraw',
    'Payments.sol',
    'if (newest.cursorBlock < account.lastBlock) revert ExitNotBooked(account.lastBlock);',
    '',
  ],
  ['withdraw', 'Payments.sol', 'if (account.exitAt != 0) revert ExitOpen(voucher.account);', ''],
  ['withdraw', 'Payments.sol', 'if (voucher.account == payout) totals.payoutPaid += voucher.amount.toUint128();', ''],
  ['withdraw', 'Payments.sol', '_balanceOf(asset) + _totals[asset].exited', '_balanceOf(asset)'],
  ['withdraw', 'VaultKeys.sol', 'balance > _highestBalance[asset][slot]', 'balance < _highestBalance[asset][slot]'],
  ['deposit', 'Payments.sol', 'if (balance.firstDeposit == 0) balance.firstDeposit', 'balance.firstDeposit'],
  [
    'deposit',
    'Payments.sol',
    '_requireNotShort(NATIVE, address(this).balance - amount',
    '_requireNotShort(NATIVE, address(this).balance',
  ],
  ['deposit', 'Payments.sol', 'uint256 received = balanceAfter - balanceBefore;', 'uint256 received = amount;'],
  ['post', 'Roots.sol', '_requireRunning();\n        bytes32', '_requireNotPaused();\n        bytes32'],
  [
    'post',
    'Roots.sol',
    'if (!_isSignedBy(IVaultKeys.Role.Bookkeeper, headerHash, bookSignature)) revert NotABookkeeper();',
    '',
  ],
  ['post', 'Roots.sol', ' || block.timestamp - cursorTime > POSTABLE', ''],
  ['post', 'Roots.sol', '_requireSeen(token, last.payoutPaidSeen, next.payoutPaidSeen, totals.payoutPaid);', ''],
  ['post', 'Roots.sol', 'uint256(next.owed - lending) + next.payouts', 'uint256(next.owed) + next.payouts'],
  [
    'post',
    'VaultState.sol',
    'uint256(root.owed) + root.payouts + totals.deposited',
    'uint256(root.owed) + totals.deposited',
  ],
  ['drop', 'Roots.sol', 'if (from.postedAt <= _frozenAfter()) revert RootNotFrozen(from.seq);', ''],
  ['drop', 'Roots.sol', '_setFigures(tokens[i], figures);\n            paidAtDrop', 'paidAtDrop'],
  ['drop', 'Roots.sol', 'paidAtDrop[tokens[i]] = _totals[tokens[i]].paid - _totals[tokens[i]].payoutPaid;', ''],
  ['drop', 'Roots.sol', 'if (_closing.endedAt != 0) revert VaultClosed();', ''],
  ['drop', 'Roots.sol', '_requireDropped(root.seq + 1, dropped);', ''],
  ['exit', 'Exits.sol', 'balance.paid = (balance.paid + amount).toUint112();', ''],
  ['exit', 'Exits.sol', '_totals[claim.asset].exited += amount.toUint128();', ''],
  ['exit', 'Exits.sol', '(account.lastBase, account.lastBlock) = (base.seq, uint40(block.number));', ''],
  ['exit', 'Exits.sol', 'if (base.seq < account.floor) revert RootBeforeFloor(base.seq, account.floor);', ''],
  ['exit', 'Exits.sol', 'if (base.postedAt > _frozenAfter()) revert RootFrozen(base.seq);', ''],
  ['exit', 'Exits.sol', '_requirePosted(_refOf(roots[1]));', ''],
  ['exit', 'Exits.sol', 'if (_closing.movedAt != 0) return;', ''],
  ['exit', 'Exits.sol', 'EXIT_CUT = 6 days', 'EXIT_CUT = 7 days'],
  ['exit', 'Exits.sol', '_requireLastUpTo(frozenAfter, _refOf(unfrozen), proof.unfrozenNext);', ''],
  ['exit', 'Leaves.sol', 'uint256(leaf.depositedSeen) + balance.paid', 'uint256(leaf.depositedSeen)'],
  ['exit', 'VaultState.sol', 'next.seq <= root.seq || next.postedAt <= time', 'next.seq <= root.seq'],
  ['end', 'Ends.sol', 'if (block.timestamp < endingAt + END_WAIT) revert TooEarly(endingAt + END_WAIT);', ''],
  ['end', 'Ends.sol', 'if (_newest.postedAt > _frozenAfter()) revert RootFrozen(_newest.seq);', ''],
  [
    'end',
    'Ends.sol',
    'if (since == 0 || block.timestamp < since + SILENCE) revert NoReasonToEnd();',
    'if (since == 0) revert NoReasonToEnd();',
  ],
  ['claim', 'Claims.sol', 'settledOf[msg.sender][claim.asset] += amount;', ''],
  ['claim', 'Claims.sol', 'closing.endedAt != 0 && root.seq == closing.base &&', 'closing.endedAt != 0 &&'],
  [
    'claim',
    'Claims.sol',
    'amount * fraction.held / fraction.owed : amount',
    '(amount * fraction.held + fraction.owed - 1) / fraction.owed : amount',
  ],
  ['claim', 'Claims.sol', 'reserved - fraction.paid : 0;', '0 : 0;'],
  [
    'claim',
    'Claims.sol',
    'if (base.seq < account.floor) revert IExitVault.RootBeforeFloor(base.seq, account.floor);',
    '',
  ],
  [
    'claim',
    'Claims.sol',
    'if (account.floor != 0 || account.lastBlock != 0) revert IExitVault.RootBeforeFloor(0, account.floor);',
    '',
  ],
  ['claim', 'Claims.sol', 'fraction.owed > fraction.held ?', 'fraction.owed >= fraction.held + fraction.held ?'],
  ['claim', 'Claims.sol', 'fractionOf[asset].paid += payment.toUint128();', ''],
  ['settlement', 'Claims.sol', 'if (releasedLending[asset].releasedAt != 0) revert IExitVault.AlreadyDone();', ''],
  [
    'settlement',
    'Claims.sol',
    'uint256 payment = _share(lending, _fractionOf(asset));',
    'uint256 payment = lending; _fractionOf(asset);',
  ],
  ['settlement', 'Settlement.sol', 'isRedeemed[order.id][msg.sender] = true;', ''],
  ['settlement', 'Settlement.sol', 'claimed[msg.sender][pledge.pool][asset] = share;', ''],
  ['settlement', 'Settlement.sol', 'Math.Rounding.Ceil', 'Math.Rounding.Floor'],
  ['settlement', 'Settlement.sol', 'if (block.timestamp < until) revert OutsideWindow(until);', ''],
  ['settlement', 'Settlement.sol', 'if (pot.paid > pot.total) revert NothingToPay();', ''],
  ['settlement', 'Settlement.sol', '_balanceOf(asset) - _inPots[asset];', '_balanceOf(asset);'],
  [
    'settlement',
    'Settlement.sol',
    'potOf[order.debtAsset][order.collateralAsset].total -= collateral.toUint128();',
    '',
  ],
  ['keys', 'VaultKeys.sol', 'DELAY = 10 days', 'DELAY = 9 days'],
  ['keys', 'VaultKeys.sol', '_clockFrom = _now() + 24 hours;', '_clockFrom = _now();'],
  ['keys', 'VaultKeys.sol', '_clockFrom = type(uint40).max;', ''],
  ['keys', 'VaultKeys.sol', 'delete keyOf[key];', ''],
  ['keys', 'VaultKeys.sol', 'delete announcedLimitsOf[asset];\n        if', 'if'],
  [
    'keys',
    'VaultKeys.sol',
    'account == successor && successorAt != 0 && _isActive(successorAt)',
    'account == successor && successorAt != 0',
  ],
  ['move', 'Payments.sol', 'if (_closing.movedAt == 0) _closing.movedAt = _now();', ''],
  ['move', 'Payments.sol', 'if (_closing.endingAt != 0) revert VaultClosed();', ''],
]

/** @throws Error where the code of a fault is not in its file exactly once. */
export function criticalFaults(files: readonly SourceFile[]): Fault[] {
  return CRITICAL.map(([path, name, code, instead]) => {
    const file = files.find((each) => each.name === name)
    const [search, text] = [code, instead].map((each) => Buffer.from(each).toString('latin1')) as [string, string]
    const start = file?.bytes.indexOf(search) ?? -1
    if (!file || start === -1 || file.bytes.indexOf(search, start + 1) !== -1) {
      throw new Error(`${name} must have this code exactly once: ${code}`)
    }
    return faultOf(file, path, { start, end: start + search.length, text })
  })
}
