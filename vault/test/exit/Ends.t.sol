// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IExitVault} from "../../src/exit/IExitVault.sol";
import {ExitFixture} from "./ExitFixture.sol";

/// The end and its claims.
contract EndsTest is ExitFixture {
    address private dollar;

    function setUp() public override {
        super.setUp();
        dollar = address(usdt);
        deposit(alice, dollar, 100 ether);
        deposit(bob, dollar, 50 ether);
    }

    function test_thirtyDaysOfSilencePayEveryone() public {
        uint256 root = post();
        pass(30 days - 1);
        vm.expectRevert(IExitVault.NoReasonToEnd.selector);
        vault.startEnd(dollar);
        pass(1);
        endNow();
        assertEq(claimAfterEnd(alice, dollar, root), 100 ether);
        assertEq(claimAfterEnd(bob, dollar, root), 50 ether);
        refuseClaim(alice, root, abi.encodeWithSelector(IExitVault.NothingToPay.selector));
    }

    function test_endIsFixedOnce() public {
        post();
        requestExit(bob);
        pass(30 days);
        vault.startEnd(dollar);
        pass(1 days);
        vault.end();
        pass(1);
        vm.expectRevert(IExitVault.VaultClosed.selector);
        vault.end();
    }

    function test_startOfTheEndIsFinal() public {
        post();
        requestExit(bob);
        pass(30 days);
        vault.startEnd(dollar);
        Signed memory signed = sign();
        bytes memory refusal = abi.encodeWithSelector(IExitVault.VaultClosed.selector);
        vm.expectRevert(refusal);
        vault.postRoot(signed.header, signed.rootSignature, signed.bookSignature);
        refuseWithdrawal(voucherOf(alice, dollar, 1), refusal);
        vm.prank(alice);
        vm.expectRevert(refusal);
        vault.deposit{value: 1}(NATIVE, 1, 0);
        vm.prank(alice);
        vm.expectRevert(refusal);
        vault.requestExit();
        vm.expectRevert(refusal);
        vault.startEnd(dollar);
        // A ready exit is still paid.
        finishExit(bob, dollar, 2);
        assertEq(held(dollar, bob), 1_000 ether);
    }

    /// What is left belongs to the claims, also where the owner had announced a successor.
    function test_noMoneyMovesAfterTheStartOfTheEnd() public {
        vm.prank(owner);
        keys.announceSuccessor(stranger);
        passWithRoots(10 days);
        pass(30 days);
        vault.startEnd(dollar);
        refuseWithdrawal(voucherOf(stranger, dollar, 1), abi.encodeWithSelector(IExitVault.VaultClosed.selector));
    }

    /// B2: a header that was kept back cannot put the end off.
    function test_keptHeaderDoesNotPutOffTheEnd() public {
        post();
        Signed memory kept = sign();
        pass(29 days);
        vm.expectRevert();
        vault.postRoot(kept.header, kept.rootSignature, kept.bookSignature);
        pass(1 days);
        vault.startEnd(dollar);
    }

    /// A4: a false root before the end is public for 24 hours, and can be dropped.
    function test_falseRootIsNotTheBaseOfTheEnd() public {
        take(dollar, 1 ether);
        post();
        passWithRoots(30 days);
        uint256 honest = snapshots.length - 1;
        pass(24 hours);
        ledger[thief][dollar].free = 1_000 ether;
        uint256 falseRoot = postSigned(sign());
        vault.startEnd(dollar);
        vm.expectRevert(abi.encodeWithSelector(IExitVault.TooEarly.selector, vm.getBlockTimestamp() + 1 days));
        vault.end();
        pass(1 days - 1);
        pause();
        pass(1);
        vm.expectRevert(abi.encodeWithSelector(IExitVault.RootFrozen.selector, falseRoot));
        vault.end();
        drop(falseRoot, falseRoot, honest);
        vault.end();
        assertEq(vault.closing().base, honest);
        refuseClaim(thief, falseRoot, abi.encodeWithSelector(IExitVault.NotTheLastRoot.selector, falseRoot));
        assertEq(claimAfterEnd(alice, dollar, honest), uint256(100 ether) * 149 / 150);
    }

    /// A5: each claim settles its whole amount, so a second one finds nothing.
    function test_claimInProportionIsPaidOnce() public {
        uint256 root = post();
        take(dollar, 75 ether);
        pass(30 days);
        endNow();
        assertEq(claimAfterEnd(alice, dollar, root), 50 ether);
        refuseClaim(alice, root, abi.encodeWithSelector(IExitVault.NothingToPay.selector));
        assertEq(claimAfterEnd(bob, dollar, root), 25 ether);
    }

    /// A6: payouts that were never paid do not take from users.
    function test_payoutsRankBehindUsers() public {
        (house[dollar].payouts, house[dollar].locked) = (800 ether, 800 ether);
        give(address(vault), dollar, 800 ether);
        uint256 root = post();
        take(dollar, 800 ether);
        pass(30 days);
        endNow();
        assertEq(claimAfterEnd(alice, dollar, root), 100 ether);
        assertEq(claimAfterEnd(bob, dollar, root), 50 ether);
    }

    /// A payout that was paid after the root lowers no user's claim either.
    function test_paidPayoutIsNotTakenOffUsers() public {
        (house[dollar].payouts, house[dollar].locked) = (80 ether, 80 ether);
        give(address(vault), dollar, 80 ether);
        uint256 root = post();
        withdraw(payout, dollar, 80 ether);
        pass(30 days);
        endNow();
        assertEq(claims.owedAtEnd(dollar), 150 ether);
        assertEq(claimAfterEnd(bob, dollar, root), 50 ether);
        assertEq(claimAfterEnd(alice, dollar, root), 100 ether);
    }

    function test_orderOfClaimsChangesNoPayment() public {
        deposit(carol, dollar, 33 ether);
        lock(dollar, 20 ether);
        uint256 root = post();
        withdraw(alice, dollar, 20 ether);
        deposit(bob, dollar, 7 ether);
        take(dollar, 61 ether);
        pass(30 days);
        endNow();
        uint256 start = vm.snapshotState();
        uint256[3] memory first =
            [claimAfterEnd(alice, dollar, root), claimAfterEnd(bob, dollar, root), claimAfterEnd(carol, dollar, root)];
        vm.revertToState(start);
        assertEq(claimAfterEnd(carol, dollar, root), first[2]);
        assertEq(claimAfterEnd(bob, dollar, root), first[1]);
        assertEq(claimAfterEnd(alice, dollar, root), first[0]);
        assertEq(first[0] / 1e18, uint256(80) * 109 / 170);
    }

    /// B6: after a drop, an account that was paid under the dropped root has no claim, and the others lose nothing by it.
    function test_forgedPaymentUnderADroppedRootIsSharedByAll() public {
        lock(dollar, 5 ether);
        uint256 honest = post();
        lock(dollar, 150 ether);
        uint256 falseRoot = post();
        withdraw(thief, dollar, 75 ether);
        pause();
        drop(falseRoot, falseRoot, honest);
        pass(30 days);
        endNow();
        assertEq(claims.owedAtEnd(dollar), 150 ether);
        assertEq(claimAfterEnd(alice, dollar, honest), 50 ether);
        assertEq(claimAfterEnd(bob, dollar, honest), 25 ether);
        refuseClaim(thief, honest, abi.encodeWithSelector(IExitVault.RootBeforeFloor.selector, honest, falseRoot));
    }

    function test_vaultWithoutARootPaysDepositsBack() public {
        pause();
        // The first root is dropped as well: the deposits came under it.
        drop(1, 1, 0);
        pass(30 days);
        vault.startEnd(dollar);
        pass(1 days);
        vault.end();
        uint256 before = held(dollar, alice);
        vm.prank(alice);
        claims.claimAfterEnd(new IExitVault.PostedHeader[](0), noLeaf(dollar), alice);
        assertEq(held(dollar, alice) - before, 100 ether);
    }

    function test_claimWithoutARootNeedsAVaultWithoutOne() public {
        post();
        pass(30 days);
        endNow();
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IExitVault.NotTheLastRoot.selector, 0));
        claims.claimAfterEnd(new IExitVault.PostedHeader[](0), noLeaf(dollar), alice);
    }

    function test_houseWaitsAndLeavesUnpaidClaims() public {
        give(address(vault), dollar, 30 ether);
        uint256 root = post();
        pass(30 days);
        endNow();
        claimAfterEnd(alice, dollar, root);
        pass(180 days - 1);
        vm.startPrank(owner);
        vm.expectRevert(abi.encodeWithSelector(IExitVault.TooEarly.selector, vm.getBlockTimestamp() + 1));
        claims.takeHouse(dollar);
        vm.stopPrank();
        pass(1);
        vm.expectRevert(abi.encodeWithSelector(IExitVault.NotTheOwner.selector, address(this)));
        claims.takeHouse(dollar);
        // A late plain payment to the vault is the house's too.
        give(address(vault), dollar, 3 ether);
        vm.prank(owner);
        claims.takeHouse(dollar);
        assertEq(held(dollar, owner), 33 ether);
        assertEq(claimAfterEnd(bob, dollar, root), 50 ether);
    }

    /// The balance of an address without a token cannot be read. That must not end the vault.
    function test_onlyAnAssetOfTheVaultCanEndIt() public {
        post();
        bytes memory refusal = abi.encodeWithSelector(IExitVault.AssetNotAccepted.selector, stranger);
        vm.expectRevert(refusal);
        vault.noteShort(stranger);
        passWithRoots(30 days);
        vm.expectRevert(refusal);
        vault.startEnd(stranger);
        assertEq(vault.closing().endingAt, 0);
    }

    /// A payout before a drop is not mistaken for a user's payment after it.
    function test_payoutBeforeADropLowersNoClaim() public {
        (house[dollar].payouts, house[dollar].locked) = (80 ether, 110 ether);
        give(address(vault), dollar, 80 ether);
        uint256 honest = post();
        withdraw(payout, dollar, 80 ether);
        uint256 falseRoot = postSigned(sign());
        pause();
        drop(falseRoot, falseRoot, honest);
        unpause();
        --number;
        withdraw(alice, dollar, 30 ether);
        pass(30 days);
        endNow();
        assertEq(claims.owedAtEnd(dollar), 120 ether);
        assertEq(claimAfterEnd(alice, dollar, honest), 70 ether);
        assertEq(claimAfterEnd(bob, dollar, honest), 50 ether);
    }

    function test_shortAssetEndsTheVaultAfterThirtyDays() public {
        take(dollar, 1 ether);
        post();
        passWithRoots(30 days - 1);
        vm.expectRevert(IExitVault.NoReasonToEnd.selector);
        vault.startEnd(dollar);
        pass(1);
        vault.startEnd(dollar);
    }

    function test_claimUnderAnEarlierRootIsRefused() public {
        uint256 earlier = post();
        uint256 last = post();
        pass(30 days);
        endNow();
        refuseClaim(alice, earlier, abi.encodeWithSelector(IExitVault.NotTheLastRoot.selector, earlier));
        assertEq(claimAfterEnd(alice, dollar, last), 100 ether);
    }

    /// Every root is dropped, and one of them has paid the account: its deposit is not paid back as well.
    function test_depositPaidUnderADroppedRootIsNotPaidBack() public {
        lock(dollar, 150 ether);
        uint256 root = post();
        withdraw(alice, dollar, 40 ether);
        pause();
        drop(1, root, 0);
        pass(30 days);
        endNow();
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IExitVault.RootBeforeFloor.selector, 0, root));
        claims.claimAfterEnd(new IExitVault.PostedHeader[](0), noLeaf(dollar), alice);
    }

    function test_endedVaultKeepsItsRoots() public {
        uint256 root = post();
        pass(30 days);
        endNow();
        IExitVault.RootRef memory ref = refOf(root);
        IExitVault.PostedHeader[] memory left = new IExitVault.PostedHeader[](0);
        vm.prank(owner);
        vm.expectRevert(IExitVault.VaultClosed.selector);
        vault.dropRoots(ref, uint40(root), left);
    }

    function test_handOverIsForClaimsOnly() public {
        vm.expectRevert(abi.encodeWithSelector(IExitVault.InvalidAccount.selector, address(this)));
        vault.handOver(dollar);
        vm.expectRevert(IExitVault.VaultNotEnded.selector);
        claims.takeOver(dollar);
    }

    function endNow() private {
        vault.startEnd(dollar);
        pass(1 days);
        vault.end();
    }

    function refuseClaim(address account, uint256 root, bytes memory refusal) private {
        IExitVault.PostedHeader[] memory roots = posted(root);
        IExitVault.Claim memory claim = claimOf(root, account, dollar);
        vm.prank(account);
        vm.expectRevert(refusal);
        claims.claimAfterEnd(roots, claim, account);
    }
}
