// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IVaultKeys} from "../../../src/exit/IVaultKeys.sol";
import {IExitVault} from "../../../src/exit/IExitVault.sol";
import {SumTree} from "../../../src/exit/SumTree.sol";
import {ModelToken} from "./Ledger.sol";
import {Lending} from "./Lending.sol";

/// Calls in any order: users, the server, the guardian and the owner, and time. Money is counted on both sides of the vault,
/// from the balances alone.
abstract contract World is Lending {
    /// By user, over all assets.
    uint256[2] public deposited;
    uint256[2] public received;

    /// By asset.
    uint256[3] public paidOut;
    uint256[3] internal voucherPaid;

    /// Roots were dropped, or a stolen signer was paid: then some equalities become inequalities.
    bool public isTroubled;

    /// The clock of delays, and since when it runs.
    uint256 internal modelClock;
    uint256 internal clockRunsFrom;

    // Users

    function deposit(uint256 user, uint256 asset, uint256 amount) public {
        (user, asset, amount) = (user % 2, asset % 3, bound(amount, 1, 1e6));
        address account = users[user];
        uint256 value = asset == 0 ? amount : 0;
        if (asset == 0) vm.deal(account, amount);
        else ModelToken(assets[asset]).mint(account, amount);
        vm.startPrank(account);
        if (asset != 0) IERC20(assets[asset]).approve(address(vault), amount);
        (bool done,) =
            address(vault).call{value: value}(abi.encodeCall(vault.deposit, (assets[asset], amount, bytes32(0))));
        vm.stopPrank();
        assertTrue(!done || (_isFresh() && vault.accountOf(account).exitAt == 0), "deposit into a closed vault");
        if (!done) return;
        deposited[user] += amount;
        paidIn[asset] += amount;
    }

    function requestExit(uint256 user) external {
        vm.prank(users[user % 2]);
        (bool done,) = address(vault).call(abi.encodeCall(vault.requestExit, ()));
        IExitVault.Closing memory closing = vault.closing();
        assertTrue(!done || (closing.endingAt == 0 && closing.movedAt == 0), "a request in a closed vault");
    }

    function cancelExit(uint256 user) external {
        vm.prank(users[user % 2]);
        (bool done,) = address(vault).call(abi.encodeCall(vault.cancelExit, ()));
        done;
    }

    /// With the base that the rule names, or with another one, which never pays.
    function finishExit(uint256 user, uint256 asset, uint256 other) external {
        (user, asset) = (user % 2, asset % 3);
        IExitVault.Account memory account = vault.accountOf(users[user]);
        uint256 last = _lastUpTo(account.exitAt + 6 days);
        if (account.exitAt == 0 || last == 0) return;
        uint256 base = _baseOf(user, account.exitAt + 6 days);
        bool isWrong = other % 4 == 0;
        if (isWrong) {
            base = other / 4 % snapshots.length;
            if (base == 0 || base == last) return;
            last = base;
        }
        uint256 before = _held(asset, users[user]);
        if (!isWrong) _comparePowers(user, asset, last, base);
        if (!_submitExit(user, asset, last, base)) return;
        _countReceived(user, asset, before);
        assertFalse(isWrong, "an exit under another base");
        assertGe(vm.getBlockTimestamp(), account.exitAt + 7 days, "an early exit");
        assertGe(base, account.floor, "an exit below the floor");
    }

    function _submitExit(uint256 user, uint256 asset, uint256 last, uint256 base) internal returns (bool done) {
        IExitVault.ExitProof memory proof;
        (proof.base, proof.next) = (_roots(last, base), _nextOf(last));
        if (keys.pausedAt() != 0) {
            uint256 sound = _lastUpTo(keys.pausedAt() - 24 hours);
            if (sound == 0) sound = last;
            (proof.unfrozen, proof.unfrozenNext) = (_roots(sound, sound), _nextOf(sound));
        }
        bytes memory data = abi.encodeCall(vault.finishExit, (proof, _claimOf(base, user, asset), users[user]));
        vm.prank(users[user]);
        (done,) = address(vault).call(data);
    }

    /// Invariant 4: limits of zero, removed keys and a new signer change nothing of an exit, and a pause of seven days only
    /// its time. Each is tried and undone.
    function _comparePowers(uint256 user, uint256 asset, uint256 last, uint256 base) internal {
        uint40 exitAt = vault.accountOf(users[user]).exitAt;
        if (vm.getBlockTimestamp() < exitAt + 7 days || keys.pausedAt() != 0) return;
        uint256 start = vm.snapshotState();
        uint256 amount = _exitAmount(user, asset, last, base);
        vm.revertToState(start);
        vm.startPrank(owner);
        keys.setLimits(assets[asset], 0, 0);
        keys.removeKey(vm.addr(SIGNER_KEY));
        keys.removeKey(vm.addr(ROOT_KEY));
        keys.removeKey(vm.addr(BOOK_KEY));
        keys.addKey(IVaultKeys.Role.Signer, address(0x5168));
        vm.stopPrank();
        assertEq(_exitAmount(user, asset, last, base), amount, "a power changed an exit");
        vm.revertToState(start);
        vm.prank(guardian);
        keys.pause();
        vm.warp(vm.getBlockTimestamp() + 7 days);
        assertEq(_exitAmount(user, asset, last, base), amount, "a pause changed an exit");
        vm.revertToState(start);
    }

    function _exitAmount(uint256 user, uint256 asset, uint256 last, uint256 base) internal returns (uint256) {
        uint256 before = _held(asset, users[user]);
        _submitExit(user, asset, last, base);
        return _held(asset, users[user]) - before;
    }

    // The server

    function swap(uint256 user, uint256 from, uint256 to, uint256 amount) external {
        (user, from, to) = (user % 2, from % 3, to % 3);
        if (_isStopped(user) || from == to) return;
        uint128 available = uint128(_availableOf(user, from));
        if (available == 0) return;
        amount = bound(amount, 1, available);
        leaf[user][from].free -= uint128(amount);
        leaf[user][to].free += uint128(amount);
        // The house's liquidity is on the chain too.
        _give(to, amount);
    }

    function askWithdrawal(uint256 user, uint256 asset, uint256 amount) external {
        (user, asset) = (user % 2, asset % 3);
        uint256 available = _availableOf(user, asset);
        if (_isStopped(user) || available == 0) return;
        withdrawals.push(
            Withdrawal(user, asset, bound(amount, 1, available), vm.getBlockTimestamp() + 4 hours, 0, false)
        );
    }

    /// A transfer out of the treasury, which has the money for it.
    function askPayout(uint256 asset, uint256 amount) external {
        (asset, amount) = (asset % 3, bound(amount, 1, 1e6));
        if (vm.getBlockTimestamp() > vault.newestRoot().postedAt + 2 hours) return;
        _give(asset, amount);
        withdrawals.push(Withdrawal(PAYOUT, asset, amount, vm.getBlockTimestamp() + 4 hours, 0, false));
    }

    function submit(uint256 index) external {
        if (withdrawals.length == 0) return;
        index %= withdrawals.length;
        Withdrawal memory w = withdrawals[index];
        // The signer signs once a header holds the lock, and never after the withdrawal is closed.
        if (w.root == 0 || w.closed) return;
        address account = w.user == PAYOUT ? payout : users[w.user];
        uint256 before = _held(w.asset, account);
        bool isOpen = vault.accountOf(account).exitAt != 0;
        bool isReached = vault.newestRoot().number >= w.root;
        bool done = _withdraw(IExitVault.Voucher(account, assets[w.asset], w.amount, index, w.deadline, w.root));
        assertTrue(!done || (_isFresh() && !isOpen && isReached), "a voucher out of order");
        if (w.user == PAYOUT) paidOut[w.asset] += _held(w.asset, account) - before;
        else _countReceived(w.user, w.asset, before);
    }

    function _withdraw(IExitVault.Voucher memory voucher) internal returns (bool done) {
        bytes memory signature = _signature(SIGNER_KEY, vault.hashVoucher(voucher));
        (done,) = address(vault).call(abi.encodeCall(vault.withdraw, (voucher, signature)));
        if (done) voucherPaid[indexOf(voucher.asset)] += voucher.amount;
    }

    function indexOf(address asset) internal view returns (uint256 index) {
        while (assets[index] != asset) ++index;
    }

    function sync() public {
        _sync();
        _syncTotals();
    }

    function postRoot(bool isKept) public {
        sync();
        _sign();
        if (!isKept) _post(kept.length - 1);
    }

    function postKept(uint256 index) external {
        _post(index % kept.length);
    }

    // Powers and time

    function pause(uint256 chance) external {
        if (chance % 4 != 0 || keys.pausedAt() != 0) return;
        vm.prank(guardian);
        keys.pause();
        clockRunsFrom = type(uint256).max;
    }

    function unpause() external {
        if (keys.pausedAt() == 0) return;
        vm.prank(owner);
        keys.unpause();
        clockRunsFrom = vm.getBlockTimestamp() + 1 days;
    }

    function drop(uint256 from, uint256 count) external {
        uint256 newest = snapshots.length - 1;
        if (keys.pausedAt() == 0 || newest == 0) return;
        from = 1 + from % newest;
        uint256 to = from + count % 3;
        if (to > newest || snapshots[from].dropped) return;
        uint256 left = from - 1;
        while (left > 0 && snapshots[left].dropped) --left;
        IExitVault.PostedHeader[] memory remaining = left == 0 ? new IExitVault.PostedHeader[](0) : _roots(left, left);
        IExitVault.RootRef memory first = _refOf(from);
        uint40 pausedAt = keys.pausedAt();
        vm.prank(owner);
        (bool done,) = address(vault).call(abi.encodeCall(vault.dropRoots, (first, uint40(to), remaining)));
        if (!done) return;
        assertGt(snapshots[from].postedAt, pausedAt - 24 hours, "an old root was dropped");
        isTroubled = true;
        for (uint256 i = from; i <= to; ++i) {
            snapshots[i].dropped = true;
        }
    }

    function wait(uint256 duration) external {
        duration = duration % 4 == 0 ? duration % 8 days : duration % 1 hours;
        _pass(duration + 1);
    }

    function _pass(uint256 duration) internal {
        uint256 then = vm.getBlockTimestamp() + duration;
        uint256 from = vm.getBlockTimestamp() > clockRunsFrom ? vm.getBlockTimestamp() : clockRunsFrom;
        if (then > from) modelClock += then - from;
        vm.warp(then);
        vm.roll(vm.getBlockNumber() + duration / 3 + 1);
    }

    // Reading, for the invariants

    function heldBy(uint256 asset) external view returns (uint256) {
        return _held(asset, address(vault)) + _held(asset, address(claims)) + _held(asset, address(settlement));
    }

    // Steps

    function _countReceived(uint256 user, uint256 asset, uint256 before) internal {
        uint256 amount = _held(asset, users[user]) - before;
        received[user] += amount;
        paidOut[asset] += amount;
    }

    /// No command of an account with an open exit, at the tip or at the cursor, and none once the roots are two hours old.
    function _isStopped(uint256 user) internal view returns (bool) {
        bool isOpen = vault.accountOf(users[user]).exitAt != 0 || exitAtCursor[user] != 0;
        return isOpen || vm.getBlockTimestamp() > vault.newestRoot().postedAt + 2 hours;
    }

    function _isFresh() internal view returns (bool) {
        IExitVault.Closing memory closing = vault.closing();
        return keys.pausedAt() == 0 && closing.endingAt == 0 && closing.movedAt == 0
            && vm.getBlockTimestamp() < vault.newestRoot().postedAt + 24 hours;
    }

    function _availableOf(uint256 user, uint256 asset) internal view returns (uint256 available) {
        available = leaf[user][asset].free;
        for (uint256 i = 0; i < withdrawals.length; ++i) {
            Withdrawal storage w = withdrawals[i];
            if (w.closed || w.user != user || w.asset != asset) continue;
            available = available > w.amount ? available - w.amount : 0;
        }
    }

    function _claimOf(uint256 base, uint256 user, uint256 asset) internal view returns (IExitVault.Claim memory claim) {
        (claim.asset, claim.index, claim.place) = (assets[asset], uint8(asset), user);
        claim.leaf = snapshots[base].leaves[user][asset];
        SumTree.Leaf memory other = snapshots[base].leaves[1 - user][asset];
        claim.path = new SumTree.Sibling[](1);
        claim.path[0] = SumTree.Sibling(_hashOf(other, 1 - user, asset), other.free);
    }

    function _roots(uint256 first, uint256 second) internal view returns (IExitVault.PostedHeader[] memory list) {
        list = new IExitVault.PostedHeader[](first == second ? 1 : 2);
        for (uint256 i = 0; i < list.length; ++i) {
            uint256 seq = i == 0 ? first : second;
            list[i] = IExitVault.PostedHeader(snapshots[seq].header, snapshots[seq].postedAt, uint40(seq));
        }
    }

    function _nextOf(uint256 seq) internal view returns (IExitVault.RootRef memory) {
        for (uint256 i = seq + 1; i < snapshots.length; ++i) {
            if (!snapshots[i].dropped) return _refOf(i);
        }
        return IExitVault.RootRef(0, 0, 0);
    }

    function _refOf(uint256 seq) internal view returns (IExitVault.RootRef memory) {
        return IExitVault.RootRef(vault.hashHeader(snapshots[seq].header), snapshots[seq].postedAt, uint40(seq));
    }
}
