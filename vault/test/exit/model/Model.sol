// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IExitVault} from "../../../src/exit/IExitVault.sol";
import {SumTree} from "../../../src/exit/SumTree.sol";
import {ModelToken} from "./Ledger.sol";
import {World} from "./World.sol";

/// The rest of the world: lending, a stolen signer, a successor, the end with its claims, and settlement.
contract Model is World {
    address private constant THIEF = address(0xBAD);
    address private constant SUCCESSOR = address(0x0777);

    uint256 private announcedAt;
    uint256 private forged;

    // As of the end.
    uint256[3] private heldAtEnd;
    uint256[3][2] private settled;
    bool[7] private isRedeemed;

    // What redeemed orders lost of a unit by rounding, by pool and collateral: parts of `lending` at the end.
    uint256[3][3] private lost;
    uint256[3] private lendingAtEnd;

    /// Money was taken out of the vault past its books.
    bool public isRobbed;

    /// How often each was done, for a look at what the model reaches.
    mapping(bytes32 what => uint256) public count;

    // Lending

    /// A pledge and a loan out of new deposits, under a root of their own.
    function lend(uint256 user, uint256 asset, uint256 amount, uint256 slot) external {
        (user, asset) = (user % 2, asset % 3);
        postRoot(false);
        deposit(user, asset, amount);
        deposit(1 - user, asset + 1, amount);
        sync();
        pledge(user, asset, amount);
        borrow(1 - user, asset + 1, asset, slot);
        postRoot(false);
    }

    function pledge(uint256 user, uint256 asset, uint256 amount) public {
        (user, asset) = (user % 2, asset % 3);
        uint256 available = _availableOf(user, asset);
        if (_isStopped(user) || available == 0) return;
        uint128 part = uint128(bound(amount, 1, available));
        leaf[user][asset].free -= part;
        pledged[user][asset] += part;
        cash[asset] += part;
    }

    function unpledge(uint256 user, uint256 asset, uint256 amount) external {
        (user, asset) = (user % 2, asset % 3);
        uint128 most = pledged[user][asset] < cash[asset] ? pledged[user][asset] : cash[asset];
        if (_isStopped(user) || most == 0) return;
        uint128 part = uint128(bound(amount, 1, most));
        pledged[user][asset] -= part;
        cash[asset] -= part;
        leaf[user][asset].free += part;
    }

    function borrow(uint256 user, uint256 collateral, uint256 debt, uint256 slot) public {
        (user, collateral, debt, slot) = (user % 2, collateral % 3, debt % 3, slot % SLOTS);
        uint256 most = _availableOf(user, collateral);
        if (cash[debt] < most) most = cash[debt];
        if (_isStopped(user) || collateral == debt || loans[slot].amount != 0 || most == 0) return;
        uint128 amount = uint128(1 + most / 2);
        if (amount > most) amount = uint128(most);
        loans[slot] = Loan(user, collateral, debt, amount);
        leaf[user][collateral].free -= amount;
        cash[debt] -= amount;
        leaf[user][debt].free += amount;
    }

    function repay(uint256 slot) external {
        Loan storage loan = loans[slot % SLOTS];
        (uint256 user, uint128 amount) = (loan.user, loan.amount);
        if (amount == 0 || _isStopped(user) || _availableOf(user, loan.debtAsset) < amount) return;
        leaf[user][loan.debtAsset].free -= amount;
        cash[loan.debtAsset] += amount;
        leaf[user][loan.collateralAsset].free += amount;
        delete loans[slot % SLOTS];
    }

    // Thieves and the owner

    /// Invariant 5: a stolen signer takes at most what is locked and unpaid. The operator makes it good.
    function forge(uint256 asset, uint256 amount) external {
        asset %= 3;
        _payStranger(THIEF, asset, bound(amount, 1, 1e6));
    }

    function _payStranger(address account, uint256 asset, uint256 amount) private {
        uint256 newest = _lastUpTo(vm.getBlockTimestamp());
        uint256 before = _held(asset, account);
        uint256 paid = voucherPaid[asset];
        bool done = _withdraw(
            IExitVault.Voucher(account, assets[asset], amount, 1e9 + ++forged, vm.getBlockTimestamp() + 1 hours, 0)
        );
        if (!done) return;
        assertTrue(_isFresh(), "a forged voucher out of order");
        bytes memory header = snapshots[newest].header;
        assertLe(paid + amount, _figure(header, asset, 8) + _figure(header, asset, 6), "more than the locks");
        paidOut[asset] += _held(asset, account) - before;
        isTroubled = true;
        ++count["forged"];
        _give(asset, amount);
    }

    function announce(uint256 chance) external {
        if (chance % 3 != 0 || announcedAt != 0) return;
        vm.prank(owner);
        keys.announceSuccessor(SUCCESSOR);
        announcedAt = modelClock + 1;
    }

    /// Ten days of the clock, which is stopped during a pause and for a day afterwards.
    function move(uint256 asset, uint256 amount) external {
        asset %= 3;
        uint256 held = _held(asset, address(vault));
        if (announcedAt == 0 || held == 0) return;
        amount = bound(amount, 1, held);
        if (modelClock + 1 < announcedAt + 10 days) {
            assertFalse(keys.isActiveSuccessor(SUCCESSOR), "an early successor");
            return;
        }
        bool isOpen = keys.pausedAt() == 0 && vault.closing().endingAt == 0;
        bool done = _withdraw(
            IExitVault.Voucher(SUCCESSOR, assets[asset], amount, 1e9 + ++forged, vm.getBlockTimestamp() + 1 hours, 0)
        );
        assertEq(done, isOpen, "a move");
        if (!done) return;
        // Moves are no payments by voucher.
        voucherPaid[asset] -= amount;
        paidOut[asset] += amount;
        ++count["moved"];
    }

    // The end

    function end(uint256 chance) external {
        if (chance % 24 != 0 || vault.closing().endedAt != 0) return;
        if (chance % 48 == 0) _rob(chance / 48);
        _pass(31 days);
        (bool done,) = address(vault).call(abi.encodeCall(vault.startEnd, (assets[chance % 3])));
        // A vault without a root ends only if it has money.
        bool hasReason = _lastUpTo(vm.getBlockTimestamp()) != 0 || _held(chance % 3, address(vault)) != 0;
        assertEq(done, hasReason && vault.closing().movedAt == 0, "the start of the end");
        if (!done) return;
        _pass(1 days);
        vault.end();
        assertEq(vault.closing().base, _lastUpTo(vm.getBlockTimestamp()), "the base of the end");
        for (uint256 a = 0; a < 3; ++a) {
            heldAtEnd[a] = _held(a, address(vault));
        }
        ++count["ended"];
        if (_lastUpTo(vm.getBlockTimestamp()) != 0) _windUp(chance);
    }

    /// Claims and settlement in an order that `seed` decides: most sequences are too short for them.
    function _windUp(uint256 seed) private {
        for (uint256 i = 0; i < 32; ++i) {
            uint256 dice = uint256(keccak256(abi.encode(seed, i)));
            if (i < 4) settle(i == 0 ? 0 : 1, i);
            else if (i == 20) _pass(90 days);
            else if (i > 20) claimPledge(dice >> 8, dice >> 16, dice >> 24);
            else if (dice % 3 == 0) redeem(dice >> 8);
            if (i > 4 && dice % 4 == 1) claim(dice >> 8, dice >> 16);
        }
    }

    function _rob(uint256 chance) private {
        isRobbed = true;
        for (uint256 a = 0; a < 3; ++a) {
            uint256 part = _held(a, address(vault)) * (chance / 11 ** a % 11) / 20;
            paidOut[a] += part;
            vm.prank(address(vault));
            if (a == 0) payable(address(0xdead)).transfer(part);
            else IERC20(assets[a]).transfer(address(0xdead), part);
        }
    }

    /// Invariant 3: each claim is the account's amount times a fraction that no earlier claim changes.
    function claim(uint256 user, uint256 asset) public {
        (user, asset) = (user % 2, asset % 3);
        uint256 last = vault.closing().base;
        if (vault.closing().endedAt == 0 || last == 0) return;
        IExitVault.Account memory account = vault.accountOf(users[user]);
        uint256 base = snapshots[last].cursorBlock < account.lastBlock ? account.lastBase : last;
        int256 left = signedAmount(base, user, asset) - int256(settled[user][asset]);
        uint256 amount = left > 0 ? uint256(left) : 0;
        uint256 before = _held(asset, users[user]);
        bool done = _submitClaim(user, asset, last, base);
        uint256 payment = _held(asset, users[user]) - before;
        assertTrue(!done || base >= account.floor, "a claim below the floor");
        if (!isTroubled) assertEq(payment, _shareOf(amount, owedAt(last, asset), heldAtEnd[asset]), "a claim");
        assertLe(payment, amount, "a claim above the balance");
        if (done) settled[user][asset] += amount;
        if (done) ++count["claimed"];
        _countReceived(user, asset, before);
    }

    function _submitClaim(uint256 user, uint256 asset, uint256 last, uint256 base) private returns (bool done) {
        bytes memory data =
            abi.encodeCall(claims.claimAfterEnd, (_roots(last, base), _claimOf(base, user, asset), users[user]));
        vm.prank(users[user]);
        (done,) = address(claims).call(data);
    }

    function _shareOf(uint256 amount, uint256 owed, uint256 held) private pure returns (uint256) {
        return owed > held ? amount * held / owed : amount;
    }

    // Settlement

    function settle(uint256 step, uint256 asset) public {
        uint256 base = vault.closing().base;
        if (vault.closing().endedAt == 0 || base == 0) return;
        if (step % 3 == 2) return _pass(31 days);
        IExitVault.PostedHeader memory root = _roots(base, base)[0];
        bytes memory release = abi.encodeCall(claims.releaseLending, (root, asset % 3));
        (bool done,) = step % 3 == 0
            ? address(settlement).call(abi.encodeCall(settlement.open, (root, _positionsOf(base).pools)))
            : address(claims).call(release);
        if (done) ++count[step % 3 == 0 ? bytes32("opened") : bytes32("released")];
    }

    function redeem(uint256 slot) public {
        uint256 base = vault.closing().base;
        if (vault.closing().endedAt == 0 || base == 0) return;
        slot %= SLOTS;
        Positions memory all = _positionsOf(base);
        Loan memory loan = all.loans[slot];
        if (loan.amount == 0) return;
        (uint256 user, uint256 d, uint256 c) = (loan.user, loan.debtAsset, loan.collateralAsset);
        uint256 before = _held(c, users[user]);
        if (!_submitRedeem(slot, loan, _pathOf(all.leaves, 9 + slot))) return;
        (uint128 released, uint40 releasedAt) = claims.releasedLending(assets[c]);
        assertFalse(isRedeemed[slot], "redeemed twice");
        assertTrue(releasedAt != 0 && vm.getBlockTimestamp() < releasedAt + 90 days, "redeemed outside the window");
        uint256 lending = _figure(snapshots[base].header, c, 3);
        assertEq(_held(c, users[user]) - before, uint256(loan.amount) * released / lending, "redeemed collateral");
        isRedeemed[slot] = true;
        (lost[d][c], lendingAtEnd[c]) = (lost[d][c] + uint256(loan.amount) * released % lending, lending);
        (deposited[user], paidIn[d]) = (deposited[user] + loan.amount, paidIn[d] + loan.amount);
        ++count["redeemed"];
        _countReceived(user, c, before);
    }

    function _submitRedeem(uint256 slot, Loan memory loan, bytes32[] memory path) private returns (bool done) {
        (address account, uint256 d) = (users[loan.user], loan.debtAsset);
        if (d == 0) vm.deal(account, account.balance + loan.amount);
        else ModelToken(assets[d]).mint(account, loan.amount);
        bytes memory data =
            abi.encodeCall(settlement.redeem, (_orderOf(slot, loan), 9 + slot, path, loan.amount, account));
        vm.startPrank(account);
        if (d != 0) IERC20(assets[d]).approve(address(settlement), loan.amount);
        (done,) = address(settlement).call{value: d == 0 ? loan.amount : 0}(data);
        vm.stopPrank();
    }

    function claimPledge(uint256 user, uint256 pool, uint256 asset) public {
        (user, pool, asset) = (user % 3, pool % 3, asset % 3);
        uint256 base = vault.closing().base;
        if (vault.closing().endedAt == 0 || base == 0) return;
        Positions memory all = _positionsOf(base);
        uint256 place = 3 * user + pool;
        address account = _pledger(user);
        uint256 before = _held(asset, account);
        bytes memory data = abi.encodeCall(
            settlement.claimPledge,
            (_pledgeOf(pool, all.pledged[user][pool]), place, _pathOf(all.leaves, place), assets[asset], account)
        );
        vm.prank(account);
        (bool done,) = address(settlement).call(data);
        if (!done) return;
        (, uint40 releasedAt) = claims.releasedLending(assets[asset]);
        assertTrue(
            releasedAt != 0 && vm.getBlockTimestamp() >= releasedAt + 90 days, "a pledge before the window's end"
        );
        ++count["pledges"];
        if (user == HOUSE) paidOut[asset] += _held(asset, account) - before;
        else _countReceived(user, asset, before);
    }

    // Reading, for the invariants

    /// Whole units that redeemed orders lost by rounding. They stay in the pots of their pools, for the pledgers.
    function dust() external view returns (uint256 units) {
        for (uint256 i = 0; i < 9; ++i) {
            uint256 lending = lendingAtEnd[i % 3];
            if (lending != 0) units += lost[i / 3][i % 3] / lending;
        }
    }

    /// What a root gives a user with the counters of now, below zero where it knows too little.
    function signedAmount(uint256 root, uint256 user, uint256 asset) public view returns (int256) {
        SumTree.Leaf storage old = snapshots[root].leaves[user][asset];
        IExitVault.Balance memory balance = vault.balanceOf(users[user], assets[asset]);
        int256 plus = int256(uint256(old.free) + balance.deposited + old.paidSeen);
        return plus - int256(uint256(old.depositedSeen) + balance.paid);
    }

    /// Users and lending under a root, with the counters of now.
    function owedAt(uint256 root, uint256 asset) public view returns (uint256) {
        int256 owed = signedAmount(root, 0, asset) + signedAmount(root, 1, asset);
        owed += int256(_figure(snapshots[root].header, asset, 3));
        return owed > 0 ? uint256(owed) : 0;
    }

    function newest() external view returns (uint256) {
        return _lastUpTo(vm.getBlockTimestamp());
    }

    function _positionsOf(uint256 root) private view returns (Positions memory) {
        return abi.decode(snapshots[root].positions, (Positions));
    }

    /// A field of an asset in a header, counted as in {RootHeader}.
    function _figure(bytes memory header, uint256 index, uint256 field) private pure returns (uint256 figure) {
        assembly ("memory-safe") {
            figure := mload(add(header, mul(32, add(17, add(mul(11, index), field)))))
        }
    }
}
