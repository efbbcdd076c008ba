// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ExitVault} from "../../src/exit/ExitVault.sol";
import {IExitVault} from "../../src/exit/IExitVault.sol";
import {IVaultKeys} from "../../src/exit/IVaultKeys.sol";
import {ExitFixture} from "./ExitFixture.sol";

/// Fault 5: what weakens the vault waits 10 days, what strengthens it is immediate.
contract KeysTest is ExitFixture {
    address private constant BNB = address(0);
    address private spare = vm.addr(SPARE_SIGNER_KEY);

    function setUp() public override {
        super.setUp();
        deposit(alice, BNB, 100 ether);
        lock(BNB, 10 ether);
        post();
    }

    function test_newSignerCountsAfterTenDays() public {
        vm.prank(owner);
        keys.addKey(IVaultKeys.Role.Signer, spare);
        passWithRoots(10 days - 1);
        IExitVault.Voucher memory voucher = voucherOf(alice, BNB, 1);
        bytes memory signature = signWith(SPARE_SIGNER_KEY, vault.hashVoucher(voucher));
        vm.expectRevert(IExitVault.NotSignedBySigner.selector);
        vault.withdraw(voucher, signature);
        pass(1);
        vault.withdraw(voucher, signature);
    }

    function test_removedSignerIsOutImmediately() public {
        vm.prank(owner);
        keys.removeKey(vm.addr(SIGNER_KEY));
        refuseWithdrawal(voucherOf(alice, BNB, 1), abi.encodeWithSelector(IExitVault.NotSignedBySigner.selector));
    }

    /// Fault 12: a spare that was added in time answers for a removed key immediately.
    function test_spareBookkeeperReplacesARemovedOne() public {
        vm.prank(owner);
        keys.addKey(IVaultKeys.Role.Bookkeeper, spare);
        passWithRoots(10 days);
        vm.prank(owner);
        keys.removeKey(vm.addr(BOOK_KEY));
        Signed memory signed = sign();
        vm.expectRevert(IExitVault.NotABookkeeper.selector);
        vault.postRoot(signed.header, signed.rootSignature, signed.bookSignature);
        vault.postRoot(signed.header, signed.rootSignature, signWith(SPARE_SIGNER_KEY, vault.hashHeader(signed.header)));
    }

    function test_lowerLimitIsImmediateAndAHigherOneWaits() public {
        vm.startPrank(owner);
        keys.setLimits(BNB, 5 ether, 20_000 ether);
        vm.stopPrank();
        (uint256 perVoucher, uint256 perDay) = keys.limitsOf(BNB);
        assertEq(perVoucher, 5 ether);
        assertEq(perDay, 10_000 ether);
        pass(10 days - 1);
        vm.expectRevert(abi.encodeWithSelector(IVaultKeys.TooEarly.selector, START + 10 days));
        keys.applyLimits(BNB);
        pass(1);
        keys.applyLimits(BNB);
        (, perDay) = keys.limitsOf(BNB);
        assertEq(perDay, 20_000 ether);
        vm.expectRevert(IVaultKeys.NothingAnnounced.selector);
        keys.applyLimits(BNB);
    }

    function test_lowerLimitWithdrawsAnAnnouncedHigherOne() public {
        vm.startPrank(owner);
        keys.setLimits(BNB, 5_000 ether, 20_000 ether);
        keys.setLimits(BNB, 0, 0);
        vm.stopPrank();
        pass(10 days);
        vm.expectRevert(IVaultKeys.NothingAnnounced.selector);
        keys.applyLimits(BNB);
    }

    function test_newGuardianWaits() public {
        vm.prank(owner);
        keys.announceGuardian(stranger);
        pass(10 days - 1);
        vm.expectRevert();
        keys.applyGuardian();
        pass(1);
        keys.applyGuardian();
        vm.prank(guardian);
        vm.expectRevert(abi.encodeWithSelector(IVaultKeys.NotAllowedToPause.selector, guardian));
        keys.pause();
        vm.prank(stranger);
        keys.pause();
    }

    /// B5: the clock of all delays stops during a pause and for 24 hours afterwards.
    function test_delaysStopDuringAPauseAndADayLonger() public {
        vm.prank(owner);
        keys.announceSuccessor(stranger);
        pass(5 days);
        pause();
        pass(20 days);
        unpause();
        assertFalse(keys.isActiveSuccessor(stranger));
        pass(6 days - 1);
        assertFalse(keys.isActiveSuccessor(stranger));
        pass(1);
        assertTrue(keys.isActiveSuccessor(stranger));
    }

    /// A key that counted before a pause counts right after it.
    function test_pauseSuspendsNoActiveKey() public {
        pause();
        unpause();
        withdraw(alice, BNB, 1);
    }

    /// Section 11: an exit requested in the first two days is paid before any move, and open ones after it.
    function test_successorClosesTheVaultExceptForOpenExits() public {
        vm.prank(owner);
        keys.announceSuccessor(stranger);
        pass(2 days);
        post();
        requestExit(alice);
        passWithRoots(8 days);
        uint256 base = snapshots.length - 1;
        while (snapshots[base].postedAt > START + 8 days) --base;
        finishExit(alice, BNB, base);
        assertEq(alice.balance, 1_000 ether);

        deposit(bob, BNB, 50 ether);
        IExitVault.Voucher memory move = voucherOf(stranger, BNB, 50 ether);
        vault.withdraw(move, signVoucher(move));
        assertEq(stranger.balance, 50 ether);
        vm.expectRevert(IExitVault.VaultClosed.selector);
        vault.requestExit();
        vm.expectRevert(IExitVault.VaultClosed.selector);
        vault.startEnd(BNB);
        refuseWithdrawal(voucherOf(bob, BNB, 1), abi.encodeWithSelector(IExitVault.VaultClosed.selector));
        Signed memory signed = sign();
        vm.expectRevert(IExitVault.VaultClosed.selector);
        vault.postRoot(signed.header, signed.rootSignature, signed.bookSignature);
    }

    /// After a move the vault holds less than it owes, and still pays exits that were open.
    function test_openExitIsPaidAfterAMove() public {
        deposit(bob, BNB, 50 ether);
        vm.prank(owner);
        keys.announceSuccessor(stranger);
        passWithRoots(8 days);
        requestExit(alice);
        passWithRoots(2 days);
        IExitVault.Voucher memory move = voucherOf(stranger, BNB, 50 ether);
        vault.withdraw(move, signVoucher(move));
        pass(5 days);
        finishExit(alice, BNB, snapshots.length - 1);
        assertEq(alice.balance, 1_000 ether);
    }

    function test_payoutToAnAnnouncedSuccessorNeedsLocksBeforeTenDays() public {
        vm.prank(owner);
        keys.announceSuccessor(stranger);
        bytes memory refusal = abi.encodeWithSelector(IExitVault.WithdrawalExceedsLocked.selector, 50 ether, 10 ether);
        refuseWithdrawal(voucherOf(stranger, BNB, 50 ether), refusal);
    }

    function test_pauseStopsAMove() public {
        vm.prank(owner);
        keys.announceSuccessor(stranger);
        passWithRoots(10 days);
        pause();
        refuseWithdrawal(voucherOf(stranger, BNB, 1), abi.encodeWithSelector(IExitVault.VaultPaused.selector));
    }

    function test_rolesAreApartAndLimitedInNumber() public {
        vm.startPrank(owner);
        address[5] memory taken = [owner, guardian, vm.addr(SIGNER_KEY), vm.addr(ROOT_KEY), vm.addr(BOOK_KEY)];
        for (uint256 i = 0; i < 5; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IVaultKeys.RolesNotApart.selector, taken[i]));
            keys.addKey(IVaultKeys.Role.Bookkeeper, taken[i]);
        }
        keys.addKey(IVaultKeys.Role.Signer, spare);
        vm.expectRevert(abi.encodeWithSelector(IVaultKeys.RoleFull.selector, IVaultKeys.Role.Signer));
        keys.addKey(IVaultKeys.Role.Signer, stranger);
        vm.expectRevert(abi.encodeWithSelector(IVaultKeys.RoleFull.selector, IVaultKeys.Role.None));
        keys.addKey(IVaultKeys.Role.None, stranger);
        keys.transferOwnership(guardian);
        vm.stopPrank();
        vm.prank(guardian);
        vm.expectRevert(abi.encodeWithSelector(IVaultKeys.RolesNotApart.selector, guardian));
        keys.acceptOwnership();
    }

    function test_strangersHaveNoPower() public {
        bytes[8] memory powers = [
            abi.encodeCall(keys.addKey, (IVaultKeys.Role.Signer, stranger)),
            abi.encodeCall(keys.removeKey, (vm.addr(SIGNER_KEY))),
            abi.encodeCall(keys.announceGuardian, (stranger)),
            abi.encodeCall(keys.setLimits, (BNB, 0, 0)),
            abi.encodeCall(keys.listAsset, (stranger)),
            abi.encodeCall(keys.announceSuccessor, (stranger)),
            abi.encodeCall(keys.unpause, ()),
            abi.encodeCall(keys.transferOwnership, (stranger))
        ];
        address[3] memory callers = [stranger, guardian, vm.addr(SIGNER_KEY)];
        for (uint256 i = 0; i < powers.length; ++i) {
            for (uint256 j = 0; j < 3; ++j) {
                vm.prank(callers[j]);
                (bool done, bytes memory answer) = address(keys).call(powers[i]);
                assertFalse(done);
                assertEq(bytes4(answer), Ownable.OwnableUnauthorizedAccount.selector);
            }
        }
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(IVaultKeys.NotAllowedToPause.selector, stranger));
        keys.pause();
        vm.prank(owner);
        vm.expectRevert(IVaultKeys.OwnershipCannotBeRenounced.selector);
        keys.renounceOwnership();
    }

    function test_listedAssetMustBeInRootsAfterTenDays() public {
        vm.startPrank(owner);
        keys.listAsset(stranger);
        vm.expectRevert(abi.encodeWithSelector(IVaultKeys.AlreadyListed.selector, stranger));
        keys.listAsset(stranger);
        vm.stopPrank();
        passWithRoots(10 days - 1);
        assertEq(keys.assets().length, 3);
        pass(1);
        assertEq(keys.assets().length, 4);
        Signed memory signed = sign();
        vm.expectRevert(IExitVault.WrongAssets.selector);
        vault.postRoot(signed.header, signed.rootSignature, signed.bookSignature);
    }

    function test_settlementOfAnotherVaultIsRefused() public {
        IExitVault.Setup memory setup = setupOf(address(settlement));
        vm.expectRevert(abi.encodeWithSelector(IExitVault.WrongSettlement.selector, address(settlement)));
        new ExitVault(setup);
    }
}
