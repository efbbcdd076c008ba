// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ExitVault} from "../../src/exit/ExitVault.sol";
import {IExitVault} from "../../src/exit/IExitVault.sol";
import {AssetFigures, Header, RootHeader} from "../../src/exit/RootHeader.sol";
import {ExitFixture} from "./ExitFixture.sol";

/// Which headers the vault takes, and which are dropped.
contract RootsTest is ExitFixture {
    function test_headerNeedsBothKeys() public {
        Signed memory signed = sign();
        vm.expectRevert(IExitVault.NotARootKey.selector);
        vault.postRoot(signed.header, signed.bookSignature, signed.bookSignature);
        vm.expectRevert(IExitVault.NotABookkeeper.selector);
        vault.postRoot(signed.header, signed.rootSignature, signed.rootSignature);
        vm.expectRevert(IExitVault.NotARootKey.selector);
        vault.postRoot(signed.header, "", "");
        vm.prank(owner);
        keys.removeKey(vm.addr(BOOK_KEY));
        vm.expectRevert(IExitVault.NotABookkeeper.selector);
        vault.postRoot(signed.header, signed.rootSignature, signed.bookSignature);
    }

    function test_numberRisesAndSkipsNotTooFar() public {
        (Header memory header, bytes memory leaves) = makeHeader();
        uint64 newest = vault.newestRoot().number;
        header.number = newest;
        refuse(header, leaves, abi.encodeWithSelector(IExitVault.NumberOutOfRange.selector, newest, newest));
        header.number = newest + 2 ** 40 + 1;
        refuse(header, leaves, abi.encodeWithSelector(IExitVault.NumberOutOfRange.selector, header.number, newest));
        header.number = newest + 2 ** 40;
        postSigned(signHeader(header, leaves));
        assertEq(vault.newestRoot().number, header.number);
    }

    function test_headerIsPostableForTwoHours() public {
        Signed memory late = sign();
        Signed memory tooLate = sign();
        pass(2 hours);
        postSigned(late);
        pass(1);
        vm.expectRevert(abi.encodeWithSelector(IExitVault.CursorTimeOutOfRange.selector, START));
        vault.postRoot(tooLate.header, tooLate.rootSignature, tooLate.bookSignature);
    }

    function test_cursorIsNeitherFallingNorAhead() public {
        (Header memory header, bytes memory leaves) = makeHeader();
        uint64 block_ = header.cursorBlock;
        header.cursorBlock = block_ - 1;
        refuse(header, leaves, abi.encodeWithSelector(IExitVault.CursorBlockOutOfRange.selector, block_ - 1));
        header.cursorBlock = block_ + 1;
        refuse(header, leaves, abi.encodeWithSelector(IExitVault.CursorBlockOutOfRange.selector, block_ + 1));
    }

    /// Fault 7: the operator's counters rise and stay at or below the vault's.
    function test_countersNeitherFallNorPassTheVaults() public {
        deposit(alice, NATIVE, 5);
        post();
        (Header memory header, bytes memory leaves) = makeHeader();
        bytes memory refusal = abi.encodeWithSelector(IExitVault.SeenOutOfRange.selector, NATIVE);
        header.assets[0].depositedSeen = 4;
        refuse(header, leaves, refusal);
        header.assets[0].depositedSeen = 6;
        refuse(header, leaves, refusal);
        header.assets[0].depositedSeen = 5;
        header.assets[0].paidSeen = 1;
        refuse(header, leaves, refusal);
        header.assets[0].paidSeen = 0;
        header.assets[0].exitedSeen = 1;
        refuse(header, leaves, refusal);
        header.assets[0].exitedSeen = 0;
        header.assets[0].payoutPaidSeen = 1;
        refuse(header, leaves, refusal);
    }

    function test_lockedIsPartOfWhatUsersAndPayoutsAreOwed() public {
        deposit(alice, NATIVE, 5);
        book();
        (house[NATIVE].payouts, house[NATIVE].locked) = (2, 8);
        (Header memory header, bytes memory leaves) = makeHeader();
        refuse(header, leaves, abi.encodeWithSelector(IExitVault.LockedMoreThanOwed.selector, NATIVE));
        // Money in lending cannot be locked.
        house[NATIVE].lending = 1;
        (header, leaves) = makeHeader();
        refuse(header, leaves, abi.encodeWithSelector(IExitVault.LockedMoreThanOwed.selector, NATIVE));
        house[NATIVE].locked = 7;
        post();
    }

    function test_assetsAreTheVaultsInItsOrder() public {
        (Header memory header, bytes memory leaves) = makeHeader();
        (header.assets[0], header.assets[1]) = (header.assets[1], header.assets[0]);
        refuse(header, leaves, abi.encodeWithSelector(IExitVault.WrongAssets.selector));
        (header, leaves) = makeHeader();
        header.assets = new AssetFigures[](2);
        refuse(header, leaves, abi.encodeWithSelector(IExitVault.WrongAssets.selector));
        header.depth = 0;
        refuse(header, leaves, abi.encodeWithSelector(IExitVault.DepthOutOfRange.selector, 0));
        vm.expectRevert(abi.encodeWithSelector(RootHeader.WrongHeaderLength.selector, 100));
        vault.postRoot(new bytes(100), "", "");
    }

    function test_noMoneyInLendingWithoutASettlementContract() public {
        vault = new ExitVault(setupOf(address(0)));
        house[NATIVE].lending = 1;
        (Header memory header, bytes memory leaves) = makeHeader();
        refuse(header, leaves, abi.encodeWithSelector(IExitVault.LendingIsClosed.selector, NATIVE));
    }

    function test_pausedVaultTakesNoRoot() public {
        Signed memory signed = sign();
        pause();
        vm.expectRevert(IExitVault.VaultPaused.selector);
        vault.postRoot(signed.header, signed.rootSignature, signed.bookSignature);
    }

    /// Fault 6: a root is stored even where the vault holds too little.
    function test_shortRootIsStoredAndNoted() public {
        deposit(alice, address(usdt), 10 ether);
        take(address(usdt), 1);
        post();
        assertEq(vault.figuresOf(address(usdt)).shortSince, vm.getBlockTimestamp());
        give(address(vault), address(usdt), 1);
        vault.noteShort(address(usdt));
        assertEq(vault.figuresOf(address(usdt)).shortSince, 0);
    }

    // Drops

    function test_onlyTheOwnerDropsAndOnlyFrozenRootsWhilePaused() public {
        uint256 old = post();
        pass(24 hours);
        uint256 young = post();
        IExitVault.RootRef memory ref = refOf(young);
        IExitVault.PostedHeader[] memory left = posted(old);
        vm.expectRevert(abi.encodeWithSelector(IExitVault.NotTheOwner.selector, address(this)));
        vault.dropRoots(ref, uint40(young), left);

        vm.prank(owner);
        vm.expectRevert(abi.encodeWithSelector(IExitVault.RootNotFrozen.selector, young));
        vault.dropRoots(ref, uint40(young), left);

        pause();
        ref = refOf(old);
        vm.prank(owner);
        vm.expectRevert(abi.encodeWithSelector(IExitVault.RootNotFrozen.selector, old));
        vault.dropRoots(ref, uint40(young), left);

        drop(young, young, old);
        assertEq(vault.newestRoot().seq, old);
        assertEq(vault.rootAt(young), 0);
    }

    function test_dropAfterSevenDaysOfPauseIsRefused() public {
        uint256 old = post();
        pass(25 hours);
        uint256 young = post();
        pause();
        pass(7 days);
        IExitVault.RootRef memory ref = refOf(young);
        IExitVault.PostedHeader[] memory left = posted(old);
        vm.prank(owner);
        vm.expectRevert(abi.encodeWithSelector(IExitVault.RootNotFrozen.selector, young));
        vault.dropRoots(ref, uint40(young), left);
    }

    function test_fallBackNeedsTheNewestRootLeft() public {
        uint256 first = post();
        uint256 second = post();
        uint256 third = post();
        pause();
        IExitVault.RootRef memory ref = refOf(third);
        IExitVault.PostedHeader[] memory left = posted(first);
        vm.prank(owner);
        vm.expectRevert(abi.encodeWithSelector(IExitVault.NotTheLastRoot.selector, first));
        vault.dropRoots(ref, uint40(third), left);
        drop(third, third, second);
    }

    /// B7: a false root cannot use the numbers up, and its number falls back with it.
    function test_falseRootFarAheadLeavesNumbers() public {
        uint256 honest = post();
        uint64 before = number;
        number += 2 ** 40 - 1;
        uint256 falseRoot = post();
        number += 5;
        post();
        pause();
        drop(falseRoot, falseRoot + 1, honest);
        unpause();
        number = before;
        post();
        assertEq(vault.newestRoot().number, before + 1);
    }

    /// B6: a false root goes and the honest ones after it stay.
    function test_rangeDropLeavesLaterRoots() public {
        uint256 honest = post();
        uint256 falseRoot = post();
        uint256 later = post();
        pause();
        drop(falseRoot, falseRoot, 0);
        assertEq(vault.newestRoot().seq, later);
        assertEq(vault.rootAt(falseRoot), 0);
        assertTrue(vault.rootAt(honest) != 0);
    }

    function refuse(Header memory header, bytes memory leaves, bytes memory refusal) private {
        Signed memory signed = signHeader(header, leaves);
        vm.expectRevert(refusal);
        vault.postRoot(signed.header, signed.rootSignature, signed.bookSignature);
    }
}
