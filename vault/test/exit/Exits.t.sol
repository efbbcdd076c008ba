// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IExitVault} from "../../src/exit/IExitVault.sol";
import {ExitFixture} from "./ExitFixture.sol";

/// Exits, with each case of the review that the contract answers: its number is in the comment.
contract ExitsTest is ExitFixture {
    address private constant BNB = address(0);
    address private dollar;

    function setUp() public override {
        super.setUp();
        dollar = address(usdt);
        // The house has liquidity of each asset, so the ledger can swap.
        for (uint256 i = 0; i < 3; ++i) {
            give(address(vault), tokens[i], 1_000 ether);
            house[tokens[i]].house = 1_000 ether;
        }
    }

    function test_silenceStillPaysTheFreeBalance() public {
        deposit(alice, dollar, 100 ether);
        deposit(alice, BNB, 7 ether);
        uint256 root = post();
        requestExit(alice);
        pass(7 days - 1);
        uint256 readyAt = vm.getBlockTimestamp() + 1;
        refuseExit(alice, dollar, root, abi.encodeWithSelector(IExitVault.ExitNotReady.selector, readyAt));
        pass(1);
        finishExit(alice, dollar, root);
        finishExit(alice, BNB, root);
        assertEq(held(dollar, alice), 1_000 ether);
        assertEq(alice.balance, 1_000 ether);
        refuseExit(alice, dollar, root, abi.encodeWithSelector(IExitVault.NothingToPay.selector));
    }

    function test_exitsOfSeveralAccountsAddUp() public {
        deposit(alice, dollar, 100 ether);
        deposit(bob, dollar, 30 ether);
        uint256 root = post();
        requestExit(alice);
        requestExit(bob);
        pass(7 days);
        finishExit(alice, dollar, root);
        finishExit(bob, dollar, root);
        assertEq(vault.totalsOf(dollar).exited, 130 ether);
    }

    function test_exitNeedsItsOwnLeafAndPath() public {
        deposit(alice, dollar, 100 ether);
        uint256 root = post();
        requestExit(bob);
        pass(7 days);
        IExitVault.ExitProof memory proof = proofOf(root);
        bytes memory refusal = abi.encodeWithSelector(IExitVault.WrongPath.selector);
        // Of another account, with more money, of another asset, with an index outside the header.
        refuse(bob, proof, claimOf(root, alice, dollar), refusal);
        IExitVault.Claim memory claim = claimOf(root, bob, dollar);
        claim.leaf.free = 1;
        refuse(bob, proof, claim, refusal);
        claim = claimOf(root, bob, dollar);
        claim.asset = BNB;
        refuse(bob, proof, claim, refusal);
        claim = claimOf(root, bob, dollar);
        claim.index = 3;
        refuse(bob, proof, claim, refusal);
    }

    function test_withoutARequestNothingIsPaid() public {
        deposit(alice, dollar, 100 ether);
        uint256 root = post();
        pass(7 days);
        refuseExit(alice, dollar, root, abi.encodeWithSelector(IExitVault.NoExitOpen.selector, alice));
        requestExit(alice);
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IExitVault.ExitOpen.selector, alice));
        vault.requestExit();
        cancelExit(alice);
        pass(7 days);
        refuseExit(alice, dollar, root, abi.encodeWithSelector(IExitVault.NoExitOpen.selector, alice));
    }

    /// Fault 2: the base is the last root up to six days after the request, however many follow.
    function test_baseIsFixedWhileRootsGoOn() public {
        deposit(alice, dollar, 100 ether);
        uint256 before = post();
        requestExit(alice);
        pass(6 days);
        uint256 base = post();
        pass(1);
        uint256 later = post();
        pass(1 days);
        post();
        bytes4 refusal = IExitVault.NotTheLastRoot.selector;
        refuseExit(alice, dollar, before, abi.encodeWithSelector(refusal, before));
        refuseExit(alice, dollar, later, abi.encodeWithSelector(refusal, later));
        // Leaving out the root after it proves nothing.
        IExitVault.ExitProof memory proof = proofOf(before);
        proof.next = refOf(later);
        refuse(alice, proof, claimOf(before, alice, dollar), abi.encodeWithSelector(refusal, before));
        proof.next = IExitVault.RootRef(0, 0, 0);
        refuse(alice, proof, claimOf(before, alice, dollar), abi.encodeWithSelector(refusal, before));
        // Nor does the root after it with the time of a later one.
        proof.next = refOf(base);
        proof.next.postedAt = refOf(later).postedAt;
        bytes memory notPosted = abi.encodeWithSelector(IExitVault.RootNotPosted.selector, base);
        refuse(alice, proof, claimOf(before, alice, dollar), notPosted);
        finishExit(alice, dollar, base);
        assertEq(held(dollar, alice), 1_000 ether);
    }

    /// A1: a header that was kept back cannot be posted after the exit.
    function test_lateHeaderIsRefusedAfterAnExit() public {
        deposit(alice, dollar, 100 ether);
        uint256 root = post();
        swap(alice, dollar, BNB, 100 ether);
        Signed memory keptBack = sign();
        requestExit(alice);
        pass(7 days);
        finishExit(alice, dollar, root);
        cancelExit(alice);
        vm.expectRevert(abi.encodeWithSelector(IExitVault.CursorTimeOutOfRange.selector, START));
        vault.postRoot(keptBack.header, keptBack.rootSignature, keptBack.bookSignature);
    }

    /// A2: the server returns for one root that does not know the exit, and is silent until the end.
    function test_rootThatDoesNotKnowTheExitPaysNothingMore() public {
        deposit(alice, dollar, 100 ether);
        uint256 root = post();
        swap(alice, dollar, BNB, 100 ether);
        requestExit(alice);
        pass(6 days + 12 hours);
        uint256 unaware = post();
        pass(14 hours);
        finishExit(alice, dollar, root);
        cancelExit(alice);

        requestExit(alice);
        pass(7 days);
        refuseExit(alice, BNB, unaware, abi.encodeWithSelector(IExitVault.EarlierExitUnknown.selector, root));
        IExitVault.ExitProof memory proof = proofOf(unaware);
        proof.base = posted(unaware, root);
        refuse(alice, proof, claimOf(root, alice, BNB), abi.encodeWithSelector(IExitVault.NothingToPay.selector));
        refuse(alice, proof, claimOf(unaware, alice, BNB), abi.encodeWithSelector(IExitVault.WrongPath.selector));
        // Another header in the place of the earlier root.
        proof.base[1].header = proof.base[0].header;
        bytes memory notPosted = abi.encodeWithSelector(IExitVault.RootNotPosted.selector, root);
        refuse(alice, proof, claimOf(unaware, alice, BNB), notPosted);

        pass(30 days);
        vault.startEnd(dollar);
        pass(1 days);
        vault.end();
        IExitVault.PostedHeader[] memory roots = posted(unaware);
        IExitVault.Claim memory claim = claimOf(unaware, alice, BNB);
        vm.startPrank(alice);
        vm.expectRevert(abi.encodeWithSelector(IExitVault.EarlierExitUnknown.selector, root));
        claims.claimAfterEnd(roots, claim, alice);
        roots = posted(unaware, root);
        roots[1].header = roots[0].header;
        vm.expectRevert(notPosted);
        claims.claimAfterEnd(roots, claim, alice);
        roots = posted(unaware, root);
        claim = claimOf(root, alice, BNB);
        vm.expectRevert(IExitVault.NothingToPay.selector);
        claims.claimAfterEnd(roots, claim, alice);
    }

    /// A3: as A2, and another account bought the units. The ledger settles before it signs: what the exit can take under its
    /// base is in the balance again, out of the other asset, and the treasury deposits the units. Then all claims are paid.
    function test_settledDifferenceLeavesEnoughForOthers() public {
        deposit(alice, dollar, 100 ether);
        deposit(bob, BNB, 100 ether);
        uint256 root = post();
        swap(alice, dollar, BNB, 100 ether);
        swap(bob, BNB, dollar, 100 ether);
        requestExit(alice);
        pass(6 days + 12 hours);
        swap(alice, BNB, dollar, 100 ether);
        uint256 settled = post();
        pass(14 hours);
        finishExit(alice, dollar, root);
        pass(31 days);
        vault.startEnd(dollar);
        pass(1 days);
        vault.end();
        assertEq(claims.owedAtEnd(dollar), 100 ether);
        assertEq(claims.owedAtEnd(BNB), 0);
        assertEq(claimAfterEnd(bob, dollar, settled), 100 ether);
    }

    /// A7: the missing part comes first out of locks that have expired, so they are not free again after the exit.
    function test_expiredLockIsNotPaidAfterTheExit() public {
        deposit(alice, dollar, 100 ether);
        uint256 root = post();
        swap(alice, dollar, BNB, 60 ether);
        lock(BNB, 60 ether);
        requestExit(alice);
        pass(7 days);
        finishExit(alice, dollar, root);
        lock(BNB, 0);
        swap(alice, BNB, dollar, 60 ether);
        refuseNextExit(BNB);
        assertEq(held(dollar, alice), 1_000 ether);
    }

    /// A8: repayments that no root up to the base holds are undone, so the collateral is lent against again.
    function test_undoneRepaymentIsNotPaidAfterTheExit() public {
        deposit(alice, dollar, 100 ether);
        (house[BNB].lending, house[BNB].house) = (50 ether, 950 ether);
        uint256 root = post();
        // In a pause she repays 50 dollars and gets 50 BNB back.
        swap(alice, dollar, BNB, 50 ether);
        requestExit(alice);
        pass(7 days);
        finishExit(alice, dollar, root);
        swap(alice, BNB, dollar, 50 ether);
        refuseNextExit(BNB);
        assertEq(held(dollar, alice), 1_000 ether);
    }

    /// A later root that knows the exit is a base again.
    function test_rootThatKnowsTheExitServesTheNextOne() public {
        deposit(alice, dollar, 100 ether);
        deposit(alice, BNB, 9 ether);
        uint256 root = post();
        requestExit(alice);
        pass(7 days);
        finishExit(alice, dollar, root);
        cancelExit(alice);
        uint256 aware = post();
        requestExit(alice);
        pass(7 days);
        finishExit(alice, BNB, aware);
        assertEq(alice.balance, 1_000 ether);
    }

    /// B1: a first deposit that no root knows has no leaf, and leaves without one.
    function test_firstDepositLeavesWithoutALeaf() public {
        uint256 root = post();
        vm.roll(vm.getBlockNumber() + 1);
        deposit(alice, dollar, 100 ether);
        requestExit(alice);
        pass(7 days);
        IExitVault.ExitProof memory proof = proofOf(root);
        vm.prank(alice);
        vault.finishExit(proof, noLeaf(dollar), alice);
        assertEq(held(dollar, alice), 1_000 ether);
        refuse(alice, proofOf(root), noLeaf(dollar), abi.encodeWithSelector(IExitVault.NothingToPay.selector));
    }

    function test_leafIsNeededOnceTheCursorHasPassedTheDeposit() public {
        deposit(alice, dollar, 100 ether);
        swapAll();
        uint256 root = post();
        requestExit(alice);
        requestExit(bob);
        pass(7 days);
        bytes memory refusal = abi.encodeWithSelector(IExitVault.LeafNeeded.selector, 1_000_000);
        refuse(alice, proofOf(root), noLeaf(dollar), refusal);
        refuse(bob, proofOf(root), noLeaf(dollar), abi.encodeWithSelector(IExitVault.LeafNeeded.selector, 0));
    }

    /// A second deposit does not make the account look new: its leaf says that the money was swapped.
    function test_laterDepositDoesNotReplaceTheLeaf() public {
        deposit(alice, dollar, 100 ether);
        book();
        swap(alice, dollar, BNB, 100 ether);
        uint256 root = post();
        pass(1 minutes);
        deposit(alice, dollar, 1 ether);
        requestExit(alice);
        pass(7 days);
        refuse(alice, proofOf(root), noLeaf(dollar), abi.encodeWithSelector(IExitVault.LeafNeeded.selector, 1_000_000));
        finishExit(alice, dollar, root);
        assertEq(held(dollar, alice), 900 ether);
    }

    /// Fault 3: a voucher was paid under a root that is dropped. The older root holds the money in another asset.
    function test_dropDoesNotReviveTheRootBeforeAVoucher() public {
        deposit(alice, dollar, 100 ether);
        uint256 first = post();
        swap(alice, dollar, BNB, 100 ether);
        lock(BNB, 100 ether);
        uint256 second = post();
        withdraw(alice, BNB, 100 ether);
        pause();
        drop(second, second, first);
        unpause();
        requestExit(alice);
        pass(7 days);
        refuseExit(alice, dollar, first, abi.encodeWithSelector(IExitVault.RootBeforeFloor.selector, first, second));
    }

    /// A voucher under the root that is left must not lower the floor.
    function test_floorNeverFalls() public {
        deposit(alice, dollar, 101 ether);
        lock(dollar, 1 ether);
        uint256 first = post();
        swap(alice, dollar, BNB, 100 ether);
        lock(BNB, 100 ether);
        uint256 second = post();
        withdraw(alice, BNB, 100 ether);
        pause();
        drop(second, second, first);
        unpause();
        number = 102;
        withdraw(alice, dollar, 1 ether);
        assertEq(vault.accountOf(alice).floor, second);
        requestExit(alice);
        pass(7 days);
        refuseExit(alice, dollar, first, abi.encodeWithSelector(IExitVault.RootBeforeFloor.selector, first, second));
    }

    /// B3: a false root pays a victim to raise the floor. Any later root serves the victim.
    function test_victimOfAFloorExitsUnderTheNextRoot() public {
        deposit(alice, dollar, 100 ether);
        uint256 honest = post();
        uint64 before = number;
        number += 2 ** 40 - 1;
        lock(dollar, 1);
        uint256 falseRoot = post();
        withdraw(alice, dollar, 1);
        pause();
        drop(falseRoot, falseRoot, honest);
        unpause();
        number = before;
        lock(dollar, 0);
        uint256 later = post();
        requestExit(alice);
        pass(7 days);
        finishExit(alice, dollar, later);
        assertEq(held(dollar, alice), 1_000 ether);
    }

    /// B4: a false root that owes billions makes every asset short. Under a pause, exits are measured on the newest good one.
    function test_falseRootBlocksNoMatureExitUnderAPause() public {
        deposit(alice, dollar, 100 ether);
        uint256 honest = post();
        requestExit(alice);
        pass(6 days + 1);
        house[dollar].payouts = 1e30;
        uint256 falseRoot = post();
        pass(1 days - 1);
        refuseExit(alice, dollar, honest, abi.encodeWithSelector(IExitVault.AssetShort.selector, dollar));
        pause();
        IExitVault.ExitProof memory proof = proofOf(honest);
        (proof.unfrozen, proof.unfrozenNext) = (posted(falseRoot), IExitVault.RootRef(0, 0, 0));
        bytes memory refusal = abi.encodeWithSelector(IExitVault.NotTheLastRoot.selector, falseRoot);
        refuse(alice, proof, claimOf(honest, alice, dollar), refusal);
        (proof.unfrozen, proof.unfrozenNext) = (posted(honest), refOf(falseRoot));
        IExitVault.Claim memory claim = claimOf(honest, alice, dollar);
        vm.prank(alice);
        vault.finishExit(proof, claim, alice);
        assertEq(held(dollar, alice), 1_000 ether);
    }

    /// A root that is 24 hours old when a pause begins is not frozen: an exit needs no other proof of the vault's money.
    function test_rootOf24HoursIsNotFrozen() public {
        deposit(alice, dollar, 100 ether);
        post();
        requestExit(alice);
        pass(6 days);
        uint256 base = post();
        pass(1 days);
        pause();
        finishExit(alice, dollar, base);
        assertEq(held(dollar, alice), 1_000 ether);
    }

    /// A pause delays only an exit whose base is younger than 24 hours, by at most 7 days.
    function test_frozenBaseWaitsAtMostSevenDays() public {
        deposit(alice, dollar, 100 ether);
        post();
        requestExit(alice);
        pass(6 days);
        uint256 base = post();
        pass(1 days - 1);
        pause();
        pass(1);
        refuseExit(alice, dollar, base, abi.encodeWithSelector(IExitVault.RootFrozen.selector, base));
        pass(7 days - 1);
        finishExit(alice, dollar, base);
    }

    /// A pause without a frozen root delays nothing; neither do limits or removed keys.
    function test_noPowerStopsAReadyExit() public {
        deposit(alice, dollar, 100 ether);
        uint256 root = post();
        requestExit(alice);
        pass(6 days);
        vm.startPrank(owner);
        keys.setLimits(dollar, 0, 0);
        keys.removeKey(vm.addr(SIGNER_KEY));
        keys.removeKey(vm.addr(ROOT_KEY));
        keys.removeKey(vm.addr(BOOK_KEY));
        vm.stopPrank();
        pause();
        pass(1 days);
        finishExit(alice, dollar, root);
        assertEq(held(dollar, alice), 1_000 ether);
    }

    function test_openExitTakesNeitherDepositsNorVouchers() public {
        deposit(alice, dollar, 100 ether);
        lock(dollar, 10 ether);
        post();
        requestExit(alice);
        bytes memory refusal = abi.encodeWithSelector(IExitVault.ExitOpen.selector, alice);
        refuseWithdrawal(voucherOf(alice, dollar, 1), refusal);
        vm.prank(alice);
        vm.expectRevert(refusal);
        vault.deposit{value: 1}(BNB, 1, 0);
    }

    /// A voucher between an exit and the root that knows it would leave the account without a base.
    function test_voucherWaitsUntilTheExitIsBooked() public {
        deposit(alice, dollar, 100 ether);
        uint256 root = post();
        requestExit(alice);
        pass(7 days);
        uint64 block_ = uint64(vm.getBlockNumber());
        finishExit(alice, dollar, root);
        cancelExit(alice);
        vm.roll(block_ - 1);
        postSigned(sign());
        vm.roll(block_);
        refuseWithdrawal(voucherOf(alice, dollar, 1), abi.encodeWithSelector(IExitVault.ExitNotBooked.selector, block_));
    }

    function test_shortAssetWaitsAndOthersGoOn() public {
        deposit(alice, dollar, 100 ether);
        deposit(alice, BNB, 5 ether);
        house[dollar].house = 0;
        take(dollar, 1_001 ether);
        uint256 root = post();
        requestExit(alice);
        pass(7 days);
        refuseExit(alice, dollar, root, abi.encodeWithSelector(IExitVault.AssetShort.selector, dollar));
        finishExit(alice, BNB, root);
        give(address(vault), dollar, 1 ether);
        finishExit(alice, dollar, root);
    }

    function test_unbookedDepositLeavesWithTheBalance() public {
        deposit(alice, dollar, 100 ether);
        uint256 root = post();
        deposit(alice, dollar, 11 ether);
        requestExit(alice);
        pass(7 days);
        finishExit(alice, dollar, root);
        assertEq(held(dollar, alice), 1_000 ether);
    }

    function test_exitPaysNeitherTheVaultNorZero() public {
        deposit(alice, dollar, 100 ether);
        uint256 root = post();
        requestExit(alice);
        pass(7 days);
        IExitVault.ExitProof memory proof = proofOf(root);
        IExitVault.Claim memory claim = claimOf(root, alice, dollar);
        vm.startPrank(alice);
        vm.expectRevert(abi.encodeWithSelector(IExitVault.InvalidAccount.selector, address(vault)));
        vault.finishExit(proof, claim, address(vault));
        vm.expectRevert(abi.encodeWithSelector(IExitVault.InvalidAccount.selector, address(0)));
        vault.finishExit(proof, claim, address(0));
        vault.finishExit(proof, claim, stranger);
        assertEq(held(dollar, stranger), 100 ether);
    }

    function refuse(
        address account,
        IExitVault.ExitProof memory proof,
        IExitVault.Claim memory claim,
        bytes memory refusal
    ) private {
        vm.prank(account);
        vm.expectRevert(refusal);
        vault.finishExit(proof, claim, account);
    }

    /// Alice reopens, a root knows her exit, and the next exit finds nothing in the asset.
    function refuseNextExit(address asset) private {
        cancelExit(alice);
        uint256 aware = post();
        requestExit(alice);
        pass(7 days);
        refuseExit(alice, asset, aware, abi.encodeWithSelector(IExitVault.NothingToPay.selector));
    }

    function swapAll() private {
        book();
        swap(alice, dollar, BNB, 100 ether);
    }
}
