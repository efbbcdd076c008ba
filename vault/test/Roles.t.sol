// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ClearwellVault} from "../src/ClearwellVault.sol";
import {IClearwellVault} from "../src/IClearwellVault.sol";
import {VaultFixture} from "./VaultFixture.sol";

contract RolesTest is VaultFixture {
    address private next = makeAddr("next");

    function test_deploymentSetsRolesAndNothingElse() public {
        vm.expectEmit();
        emit IClearwellVault.SignerSet(address(0), signer);
        vm.expectEmit();
        emit IClearwellVault.GuardianSet(address(0), guardian);
        ClearwellVault fresh = new ClearwellVault(owner, signer, guardian);

        assertEq(fresh.owner(), owner);
        assertEq(fresh.signer(), signer);
        assertEq(fresh.guardian(), guardian);
        assertFalse(fresh.paused());
        (uint256 perVoucher, uint256 perDay) = fresh.limitsOf(NATIVE);
        assertEq(perVoucher + perDay, 0);
    }

    function test_deploymentRefusesMissingOrSharedRoles() public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableInvalidOwner.selector, address(0)));
        new ClearwellVault(address(0), signer, guardian);
        vm.expectRevert(IClearwellVault.ZeroAddress.selector);
        new ClearwellVault(owner, address(0), guardian);
        vm.expectRevert(IClearwellVault.ZeroAddress.selector);
        new ClearwellVault(owner, signer, address(0));

        vm.expectRevert(abi.encodeWithSelector(IClearwellVault.RolesNotApart.selector, owner));
        new ClearwellVault(owner, owner, guardian);
        vm.expectRevert(abi.encodeWithSelector(IClearwellVault.RolesNotApart.selector, owner));
        new ClearwellVault(owner, signer, owner);
        vm.expectRevert(abi.encodeWithSelector(IClearwellVault.RolesNotApart.selector, signer));
        new ClearwellVault(owner, signer, signer);
    }

    function test_ownerSetsLimitsSignerAndGuardian() public {
        vm.startPrank(owner);
        vm.expectEmit(address(vault));
        emit IClearwellVault.LimitsSet(NATIVE, 3, 4);
        vault.setLimits(NATIVE, 3, 4);
        (uint256 perVoucher, uint256 perDay) = vault.limitsOf(NATIVE);
        assertEq(perVoucher, 3);
        assertEq(perDay, 4);

        vm.expectEmit(address(vault));
        emit IClearwellVault.SignerSet(signer, next);
        vault.setSigner(next);
        assertEq(vault.signer(), next);

        vm.expectEmit(address(vault));
        emit IClearwellVault.GuardianSet(guardian, signer);
        vault.setGuardian(signer);
        assertEq(vault.guardian(), signer);
    }

    function test_rolesStayApart() public {
        vm.startPrank(owner);
        vm.expectRevert(IClearwellVault.ZeroAddress.selector);
        vault.setSigner(address(0));
        vm.expectRevert(IClearwellVault.ZeroAddress.selector);
        vault.setGuardian(address(0));

        vm.expectRevert(abi.encodeWithSelector(IClearwellVault.RolesNotApart.selector, owner));
        vault.setSigner(owner);
        vm.expectRevert(abi.encodeWithSelector(IClearwellVault.RolesNotApart.selector, guardian));
        vault.setSigner(guardian);
        vm.expectRevert(abi.encodeWithSelector(IClearwellVault.RolesNotApart.selector, owner));
        vault.setGuardian(owner);
        vm.expectRevert(abi.encodeWithSelector(IClearwellVault.RolesNotApart.selector, signer));
        vault.setGuardian(signer);

        vault.transferOwnership(signer);
        vm.stopPrank();
        vm.prank(signer);
        vm.expectRevert(abi.encodeWithSelector(IClearwellVault.RolesNotApart.selector, signer));
        vault.acceptOwnership();
        assertEq(vault.owner(), owner);
    }

    function testFuzz_nobodyButTheOwnerMayUseHisPowers(address caller) public {
        vm.assume(caller != owner);
        refuseOwnerPowersTo(caller);
    }

    function test_signerAndGuardianHaveNoPowerOfTheOwner() public {
        refuseOwnerPowersTo(signer);
        refuseOwnerPowersTo(guardian);
        refuseOwnerPowersTo(address(vault));
    }

    function testFuzz_onlyGuardianAndOwnerMayPause(address caller) public {
        vm.assume(caller != owner && caller != guardian);
        vm.prank(caller);
        vm.expectRevert(abi.encodeWithSelector(IClearwellVault.NotAllowedToPause.selector, caller));
        vault.pause();
    }

    function test_signerMayNotPause() public {
        vm.prank(signer);
        vm.expectRevert(abi.encodeWithSelector(IClearwellVault.NotAllowedToPause.selector, signer));
        vault.pause();
    }

    function test_guardianPausesAndOnlyTheOwnerUnpauses() public {
        vm.startPrank(guardian);
        vault.pause();
        assertTrue(vault.paused());
        vm.expectRevert(Pausable.EnforcedPause.selector);
        vault.pause();
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, guardian));
        vault.unpause();
        vm.stopPrank();

        vm.startPrank(owner);
        vault.unpause();
        assertFalse(vault.paused());
        vm.expectRevert(Pausable.ExpectedPause.selector);
        vault.unpause();
        vault.pause();
        assertTrue(vault.paused());
    }

    function test_replacedGuardianMayNotPause() public {
        vm.prank(owner);
        vault.setGuardian(next);
        vm.prank(guardian);
        vm.expectRevert(abi.encodeWithSelector(IClearwellVault.NotAllowedToPause.selector, guardian));
        vault.pause();
    }

    function test_ownershipMovesInTwoSteps() public {
        vm.prank(owner);
        vault.transferOwnership(next);
        assertEq(vault.owner(), owner);
        assertEq(vault.pendingOwner(), next);

        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, stranger));
        vault.acceptOwnership();

        vm.prank(next);
        vault.acceptOwnership();
        assertEq(vault.owner(), next);
        refuseOwnerPowersTo(owner);
    }

    function test_ownershipCannotBeRenounced() public {
        vm.prank(owner);
        vm.expectRevert(IClearwellVault.OwnershipCannotBeRenounced.selector);
        vault.renounceOwnership();
        assertEq(vault.owner(), owner);
    }

    function refuseOwnerPowersTo(address caller) private {
        bytes memory refusal = abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, caller);
        vm.startPrank(caller);
        vm.expectRevert(refusal);
        vault.setLimits(NATIVE, 1, 1);
        vm.expectRevert(refusal);
        vault.setSigner(next);
        vm.expectRevert(refusal);
        vault.setGuardian(next);
        vm.expectRevert(refusal);
        vault.unpause();
        vm.expectRevert(refusal);
        vault.transferOwnership(next);
        vm.expectRevert(refusal);
        vault.renounceOwnership();
        vm.stopPrank();
    }
}
