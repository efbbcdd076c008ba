// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ExitVault} from "../../src/exit/ExitVault.sol";
import {IExitVault} from "../../src/exit/IExitVault.sol";
import {IVaultKeys} from "../../src/exit/IVaultKeys.sol";
import {ExitFixture} from "./ExitFixture.sol";

/// Deposits, and vouchers under a root.
contract VouchersTest is ExitFixture {
    address private constant BNB = address(0);

    function setUp() public override {
        super.setUp();
        deposit(alice, BNB, 100 ether);
        lock(BNB, 10 ether);
        post();
    }

    function test_voucherPaysOnceWithinTheLocks() public {
        IExitVault.Voucher memory voucher = voucherOf(alice, BNB, 10 ether);
        vault.withdraw(voucher, signVoucher(voucher));
        assertEq(alice.balance, 910 ether);
        assertEq(vault.accountOf(alice).floor, 2);
        assertEq(vault.balanceOf(alice, BNB).paid, 10 ether);
        refuseWithdrawal(voucher, abi.encodeWithSelector(IExitVault.NonceUsed.selector, voucher.nonce));
    }

    /// Fault 4 and invariant 5: a stolen signer takes at most what is locked until the next root.
    function test_stolenSignerTakesAtMostTheLocks() public {
        withdraw(thief, BNB, 6 ether);
        bytes memory refusal = abi.encodeWithSelector(IExitVault.WithdrawalExceedsLocked.selector, 4 ether + 1, 4 ether);
        refuseWithdrawal(voucherOf(thief, BNB, 4 ether + 1), refusal);
        withdraw(thief, BNB, 4 ether);
        refuseWithdrawal(
            voucherOf(thief, BNB, 1), abi.encodeWithSelector(IExitVault.WithdrawalExceedsLocked.selector, 1, 0)
        );
    }

    function test_voucherNeedsAPostedRoot() public {
        IExitVault.Voucher memory voucher = voucherOf(alice, BNB, 1);
        voucher.root = number + 1;
        refuseWithdrawal(voucher, abi.encodeWithSelector(IExitVault.RootNotReached.selector, number + 1, number));
        Signed memory signed = sign();
        bytes memory signature = signVoucher(voucher);
        vault.withdrawWithRoot(signed.header, signed.rootSignature, signed.bookSignature, voucher, signature);
        // A header that is posted already is skipped.
        voucher = voucherOf(alice, BNB, 1);
        signature = signVoucher(voucher);
        vault.withdrawWithRoot(signed.header, "", "", voucher, signature);
        assertEq(vault.balanceOf(alice, BNB).paid, 2);
    }

    /// Fault 8: money neither comes in nor leaves by voucher once the newest root is 24 hours old.
    function test_oldRootStopsVouchersAndDeposits() public {
        pass(24 hours - 1);
        withdraw(alice, BNB, 1);
        deposit(alice, BNB, 1);
        pass(1);
        bytes memory refusal = abi.encodeWithSelector(IExitVault.NotFresh.selector, START);
        refuseWithdrawal(voucherOf(alice, BNB, 1), refusal);
        vm.prank(alice);
        vm.expectRevert(refusal);
        vault.deposit{value: 1}(BNB, 1, 0);
        vm.prank(alice);
        (bool done,) = address(vault).call{value: 1}("");
        assertFalse(done);
    }

    function test_deadlineIsAtMostADayAhead() public {
        IExitVault.Voucher memory voucher = voucherOf(alice, BNB, 1);
        voucher.deadline = vm.getBlockTimestamp() + 24 hours + 1;
        refuseWithdrawal(voucher, abi.encodeWithSelector(IExitVault.DeadlineTooLate.selector, voucher.deadline));
        voucher.deadline = vm.getBlockTimestamp() - 1;
        refuseWithdrawal(voucher, abi.encodeWithSelector(IExitVault.VoucherExpired.selector, voucher.deadline));
    }

    function test_onlyASignerSigns() public {
        IExitVault.Voucher memory voucher = voucherOf(alice, BNB, 1);
        bytes memory signature = signWith(ROOT_KEY, vault.hashVoucher(voucher));
        vm.expectRevert(IExitVault.NotSignedBySigner.selector);
        vault.withdraw(voucher, signature);
        signature = signVoucher(voucher);
        ++voucher.root;
        vm.expectRevert(IExitVault.NotSignedBySigner.selector);
        vault.withdraw(voucher, signature);
    }

    function test_pauseStopsMoneyBothWays() public {
        pause();
        refuseWithdrawal(voucherOf(alice, BNB, 1), abi.encodeWithSelector(IExitVault.VaultPaused.selector));
        vm.prank(alice);
        vm.expectRevert(IExitVault.VaultPaused.selector);
        vault.deposit{value: 1}(BNB, 1, 0);
    }

    /// Fault 6: a short asset takes and pays nothing, and can be refilled.
    function test_shortAssetStopsAndCanBeRefilled() public {
        take(BNB, 1);
        bytes memory refusal = abi.encodeWithSelector(IExitVault.AssetShort.selector, BNB);
        refuseWithdrawal(voucherOf(alice, BNB, 1), refusal);
        vm.prank(alice);
        vm.expectRevert(refusal);
        vault.deposit{value: 1 ether}(BNB, 1 ether, 0);
        deposit(alice, address(usdt), 1 ether);
        vm.prank(bob);
        vault.refill{value: 1}();
        withdraw(alice, BNB, 1);
        assertEq(vault.balanceOf(bob, BNB).deposited, 0);
    }

    function test_depositCarriesExactlyItsCoin() public {
        vm.startPrank(alice);
        usdt.approve(address(vault), 5 ether);
        vm.expectRevert(abi.encodeWithSelector(IExitVault.WrongNativeValue.selector, 0, 1));
        vault.deposit{value: 1}(address(usdt), 5 ether, 0);
        vm.expectRevert(abi.encodeWithSelector(IExitVault.WrongNativeValue.selector, 5, 4));
        vault.deposit{value: 4}(BNB, 5, 0);
        vm.stopPrank();
        assertEq(vault.totalsOf(address(usdt)).deposited, 0);
        assertEq(vault.totalsOf(BNB).deposited, 100 ether);
    }

    /// Fault 15: the money of a move is credited to no account, and arrives before there is a root.
    function test_moneyOfThePredecessorIsNoDeposit() public {
        IExitVault.Setup memory setup = setupOf(address(0));
        setup.predecessor = stranger;
        vault = new ExitVault(setup);
        give(stranger, BNB, 5 ether);
        vm.prank(stranger);
        (bool done,) = address(vault).call{value: 5 ether}("");
        assertTrue(done);
        assertEq(address(vault).balance, 5 ether);
        assertEq(vault.totalsOf(BNB).deposited, 0);
        assertEq(vault.balanceOf(stranger, BNB).deposited, 0);
    }

    /// Fault 16: a large exit lowers no voucher's limit.
    function test_exitLeavesTheDailyLimitAlone() public {
        deposit(bob, BNB, 900 ether);
        vm.prank(owner);
        keys.setLimits(BNB, 100 ether, 50 ether);
        lock(BNB, 60 ether);
        uint256 root = post();
        requestExit(bob);
        passWithRoots(7 days);
        withdraw(alice, BNB, 1 ether);
        IExitVault.ExitProof memory proof = proofOf(baseOf(root));
        IExitVault.Claim memory claim = claimOf(baseOf(root), bob, BNB);
        vm.prank(bob);
        vault.finishExit(proof, claim, bob);
        bytes memory refusal =
            abi.encodeWithSelector(IVaultKeys.WithdrawalExceedsLimit.selector, 49 ether + 1, 49 ether);
        refuseWithdrawal(voucherOf(alice, BNB, 49 ether + 1), refusal);
        withdraw(alice, BNB, 49 ether);
    }

    function test_voucherRespectsItsCap() public {
        vm.prank(owner);
        keys.setLimits(BNB, 1 ether, 10_000 ether);
        bytes memory refusal = abi.encodeWithSelector(IVaultKeys.WithdrawalExceedsCap.selector, 1 ether + 1, 1 ether);
        refuseWithdrawal(voucherOf(alice, BNB, 1 ether + 1), refusal);
    }

    function test_limitsAreForTheVaultOnly() public {
        vm.expectRevert(abi.encodeWithSelector(IVaultKeys.NotTheVault.selector, address(this)));
        keys.useLimits(BNB, 1, 1);
    }

    /// The last root up to six days after the start.
    function baseOf(uint256 from) private view returns (uint256 base) {
        base = from;
        while (snapshots[base + 1].postedAt <= START + 6 days) ++base;
    }
}
