// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {IClearwellVault} from "../src/IClearwellVault.sol";
import {VaultFixture} from "./VaultFixture.sol";

contract DepositTest is VaultFixture {
    function test_nativeDepositIsHeldAndReported() public {
        vm.expectEmit(address(vault));
        emit IClearwellVault.Deposited(alice, NATIVE, 3 ether, ORDER);
        vm.prank(alice);
        vault.deposit{value: 3 ether}(NATIVE, 3 ether, ORDER);

        assertEq(address(vault).balance, 3 ether);
        assertEq(alice.balance, 997 ether);
    }

    function test_plainTransferIsADepositWithoutOrder() public {
        vm.expectEmit(address(vault));
        emit IClearwellVault.Deposited(alice, NATIVE, 1 wei, bytes32(0));
        vm.prank(alice);
        (bool sent,) = address(vault).call{value: 1 wei}("");

        assertTrue(sent);
        assertEq(address(vault).balance, 1 wei);
    }

    function test_tokenDepositIsHeldAndReported() public {
        vm.startPrank(alice);
        token.approve(address(vault), 3 ether);
        vm.expectEmit(address(vault));
        emit IClearwellVault.Deposited(alice, address(token), 3 ether, ORDER);
        vault.deposit(address(token), 3 ether, ORDER);

        assertEq(token.balanceOf(address(vault)), 3 ether);
        assertEq(token.balanceOf(alice), 997 ether);
        assertEq(token.allowance(alice, address(vault)), 0);
    }

    function test_depositOfNothingIsRefused() public {
        vm.startPrank(alice);
        vm.expectRevert(IClearwellVault.ZeroAmount.selector);
        vault.deposit(NATIVE, 0, ORDER);

        vm.expectRevert(IClearwellVault.ZeroAmount.selector);
        vault.deposit(address(token), 0, ORDER);

        vm.expectRevert(IClearwellVault.ZeroAmount.selector);
        sendPlainly(0);
    }

    function testFuzz_nativeAmountMustBeTheValueSent(uint96 amount, uint96 value) public {
        vm.assume(amount != value);
        vm.deal(alice, value);
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IClearwellVault.WrongNativeValue.selector, amount, value));
        vault.deposit{value: value}(NATIVE, amount, ORDER);
    }

    function test_tokenDepositCarriesNoNativeCoin() public {
        vm.startPrank(alice);
        token.approve(address(vault), 3 ether);
        vm.expectRevert(abi.encodeWithSelector(IClearwellVault.WrongNativeValue.selector, 0, 1));
        vault.deposit{value: 1}(address(token), 3 ether, ORDER);
    }

    function test_assetWithoutADailyLimitIsNotAccepted() public {
        setLimits(NATIVE, CAP, 0);
        setLimits(address(token), CAP, 0);

        vm.startPrank(alice);
        token.approve(address(vault), 3 ether);
        bytes memory refusal = abi.encodeWithSelector(IClearwellVault.AssetNotAccepted.selector, NATIVE);
        vm.expectRevert(refusal);
        vault.deposit{value: 1}(NATIVE, 1, ORDER);

        vm.expectRevert(refusal);
        sendPlainly(1);

        refusal = abi.encodeWithSelector(IClearwellVault.AssetNotAccepted.selector, address(token));
        vm.expectRevert(refusal);
        vault.deposit(address(token), 1, ORDER);

        vm.expectRevert(refusal);
        vault.depositWithPermit(address(token), 1, ORDER, 0, 0, 0, 0);

        // Refused before it is called at all: there is nothing to call here.
        vm.expectRevert(abi.encodeWithSelector(IClearwellVault.AssetNotAccepted.selector, stranger));
        vault.depositWithPermit(stranger, 1, ORDER, 0, 0, 0, 0);
    }

    function test_assetOnlyStoppedForVouchersIsStillAccepted() public {
        setLimits(NATIVE, 0, DAY_LIMIT);
        vm.prank(alice);
        vault.deposit{value: 1}(NATIVE, 1, ORDER);
    }

    function test_depositWithoutAllowanceIsRefused() public {
        vm.prank(alice);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(vault), 0, 3 ether)
        );
        vault.deposit(address(token), 3 ether, ORDER);
    }

    function test_pauseRefusesEveryWayIn() public {
        vm.prank(guardian);
        vault.pause();

        vm.startPrank(alice);
        vm.expectRevert(Pausable.EnforcedPause.selector);
        vault.deposit{value: 1}(NATIVE, 1, ORDER);

        vm.expectRevert(Pausable.EnforcedPause.selector);
        vault.deposit(address(token), 1, ORDER);

        vm.expectRevert(Pausable.EnforcedPause.selector);
        vault.depositWithPermit(address(token), 1, ORDER, 0, 0, 0, 0);

        vm.expectRevert(Pausable.EnforcedPause.selector);
        sendPlainly(1);
    }

    function test_unknownCallIsRefused() public {
        vm.prank(alice);
        (bool done,) = address(vault).call{value: 1}(abi.encodeWithSignature("sweep(address)", alice));
        assertFalse(done);
    }

    function testFuzz_creditIsWhatArrives(uint96 nativeAmount, uint96 tokenAmount, bytes32 orderId) public {
        nativeAmount = uint96(bound(nativeAmount, 1, type(uint96).max));
        tokenAmount = uint96(bound(tokenAmount, 1, type(uint96).max));
        vm.deal(bob, nativeAmount);
        token.mint(bob, tokenAmount);

        vm.startPrank(bob);
        token.approve(address(vault), tokenAmount);
        vm.expectEmit(address(vault));
        emit IClearwellVault.Deposited(bob, NATIVE, nativeAmount, orderId);
        vault.deposit{value: nativeAmount}(NATIVE, nativeAmount, orderId);
        vm.expectEmit(address(vault));
        emit IClearwellVault.Deposited(bob, address(token), tokenAmount, orderId);
        vault.deposit(address(token), tokenAmount, orderId);

        assertEq(address(vault).balance, nativeAmount);
        assertEq(token.balanceOf(address(vault)), tokenAmount);
    }

    /// The event alone costs more than the 2,300 gas that `transfer` and `send` of old contracts carry: such a payment
    /// bounces, and the money stays where it was.
    function test_plainTransferNeedsMoreThanTheStipend() public {
        vm.prank(alice);
        (bool sent,) = address(vault).call{value: 1, gas: 0}("");
        assertFalse(sent);
        assertEq(alice.balance, 1_000 ether);
    }

    function sendPlainly(uint256 value) private returns (bool sent) {
        (sent,) = address(vault).call{value: value}("");
    }

    // Permits

    function test_permitReplacesTheApproval() public {
        (uint8 v, bytes32 r, bytes32 s) = signPermit(3 ether, START + 60);
        vm.expectEmit(address(vault));
        emit IClearwellVault.Deposited(alice, address(token), 3 ether, ORDER);
        vm.prank(alice);
        vault.depositWithPermit(address(token), 3 ether, ORDER, START + 60, v, r, s);

        assertEq(token.balanceOf(address(vault)), 3 ether);
        assertEq(token.allowance(alice, address(vault)), 0);
    }

    function test_permitSubmittedFirstBySomeoneElseDoesNoHarm() public {
        (uint8 v, bytes32 r, bytes32 s) = signPermit(3 ether, START + 60);
        vm.prank(stranger);
        IERC20Permit(address(token)).permit(alice, address(vault), 3 ether, START + 60, v, r, s);

        vm.prank(alice);
        vault.depositWithPermit(address(token), 3 ether, ORDER, START + 60, v, r, s);
        assertEq(token.balanceOf(address(vault)), 3 ether);
    }

    function test_permitOfAnotherCannotBeSpent() public {
        (uint8 v, bytes32 r, bytes32 s) = signPermit(3 ether, START + 60);
        vm.prank(bob);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(vault), 0, 3 ether)
        );
        vault.depositWithPermit(address(token), 3 ether, ORDER, START + 60, v, r, s);

        // Not even once it is submitted: the vault pulls from its caller only.
        IERC20Permit(address(token)).permit(alice, address(vault), 3 ether, START + 60, v, r, s);
        vm.prank(bob);
        vm.expectRevert();
        vault.depositWithPermit(address(token), 3 ether, ORDER, START + 60, v, r, s);
        assertEq(token.balanceOf(alice), 1_000 ether);
    }

    function test_nativeCoinHasNoPermit() public {
        vm.prank(alice);
        vm.expectRevert(IClearwellVault.NativeHasNoPermit.selector);
        vault.depositWithPermit(NATIVE, 1, ORDER, START, 27, 0, 0);
    }

    function signPermit(uint256 amount, uint256 deadline) private view returns (uint8 v, bytes32 r, bytes32 s) {
        bytes32 typeHash =
            keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 structHash =
            keccak256(abi.encode(typeHash, alice, address(vault), amount, token.nonces(alice), deadline));
        return vm.sign(aliceKey, keccak256(abi.encodePacked("\x19\x01", token.DOMAIN_SEPARATOR(), structHash)));
    }
}
