// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {IClearwellVault} from "../src/IClearwellVault.sol";
import {VaultFixture} from "./VaultFixture.sol";

contract WithdrawTest is VaultFixture {
    function setUp() public override {
        super.setUp();
        fund(100 ether);
    }

    function test_voucherPaysItsAccountWhoeverSubmits() public {
        IClearwellVault.Voucher memory voucher = voucherFor(bob, NATIVE, 2 ether, 7);
        bytes memory signature = sign(voucher);

        vm.expectEmit(address(vault));
        emit IClearwellVault.Withdrawn(bob, NATIVE, 2 ether, 7);
        vm.prank(stranger);
        vault.withdraw(voucher, signature);

        assertEq(bob.balance, 1_002 ether);
        assertEq(stranger.balance, 0);
        assertEq(address(vault).balance, 98 ether);
        assertTrue(vault.isNonceUsed(7));
    }

    function test_tokenVoucherPays() public {
        vm.expectEmit(address(vault));
        emit IClearwellVault.Withdrawn(bob, address(token), 2 ether, 7);
        withdraw(bob, address(token), 2 ether, 7);

        assertEq(token.balanceOf(bob), 1_002 ether);
        assertEq(token.balanceOf(address(vault)), 98 ether);
        assertEq(address(vault).balance, 100 ether);
    }

    function testFuzz_voucherPaysExactlyOnce(uint256 nonce, uint256 amount, bool native) public {
        amount = bound(amount, 1, CAP);
        address asset = native ? NATIVE : address(token);
        IClearwellVault.Voucher memory voucher = voucherFor(bob, asset, amount, nonce);
        bytes memory signature = sign(voucher);
        vault.withdraw(voucher, signature);

        refuseWithdrawal(voucher, signature, abi.encodeWithSelector(IClearwellVault.NonceUsed.selector, nonce));
        assertEq(native ? bob.balance : token.balanceOf(bob), 1_000 ether + amount);
    }

    function testFuzz_nonceServesOneVoucherOnly(uint256 nonce) public {
        withdraw(bob, NATIVE, 1 ether, nonce);
        // Another account, asset and amount under the same nonce, signed in good order.
        IClearwellVault.Voucher memory other = voucherFor(alice, address(token), 2 ether, nonce);
        refuseWithdrawal(other, sign(other), abi.encodeWithSelector(IClearwellVault.NonceUsed.selector, nonce));
    }

    function testFuzz_usingANonceLeavesTheOthers(uint256 used, uint256 free) public {
        vm.assume(used != free);
        withdraw(bob, NATIVE, 1 ether, used);
        assertTrue(vault.isNonceUsed(used));
        assertFalse(vault.isNonceUsed(free));
        withdraw(bob, NATIVE, 1 ether, free);
    }

    function test_lastSecondPaysAndTheNextDoesNot() public {
        IClearwellVault.Voucher memory voucher = voucherFor(bob, NATIVE, 1 ether, 1);
        IClearwellVault.Voucher memory late = voucherFor(bob, NATIVE, 1 ether, 2);

        vm.warp(voucher.deadline);
        vault.withdraw(voucher, sign(voucher));

        vm.warp(late.deadline + 1);
        refuseWithdrawal(
            late,
            sign(late),
            abi.encodeWithSelector(IClearwellVault.VoucherExpired.selector, late.deadline, late.deadline + 1)
        );
        assertFalse(vault.isNonceUsed(2));
    }

    function test_voucherOverNothingIsRefused() public {
        IClearwellVault.Voucher memory voucher = voucherFor(bob, NATIVE, 0, 1);
        refuseWithdrawal(voucher, sign(voucher), abi.encodeWithSelector(IClearwellVault.ZeroAmount.selector));
    }

    function test_voucherForNobodyOrForTheVaultIsRefused() public {
        address[2] memory accounts = [address(0), address(vault)];
        address[2] memory assets = [NATIVE, address(token)];
        for (uint256 i = 0; i < 2; ++i) {
            for (uint256 j = 0; j < 2; ++j) {
                IClearwellVault.Voucher memory voucher = voucherFor(accounts[i], assets[j], 1, 1);
                refuseWithdrawal(
                    voucher, sign(voucher), abi.encodeWithSelector(IClearwellVault.InvalidAccount.selector, accounts[i])
                );
            }
        }
    }

    function test_pauseRefusesAndUnpausePays() public {
        IClearwellVault.Voucher memory voucher = voucherFor(bob, NATIVE, 1 ether, 1);
        vm.prank(guardian);
        vault.pause();
        refuseWithdrawal(voucher, sign(voucher), abi.encodeWithSelector(Pausable.EnforcedPause.selector));

        vm.prank(owner);
        vault.unpause();
        vault.withdraw(voucher, sign(voucher));
    }

    function test_moreThanTheVaultHoldsLeavesTheVoucherUnused() public {
        setLimits(NATIVE, 200 ether, 200 ether);
        setLimits(address(token), 200 ether, 200 ether);

        IClearwellVault.Voucher memory voucher = voucherFor(bob, NATIVE, 101 ether, 1);
        refuseWithdrawal(
            voucher,
            sign(voucher),
            abi.encodeWithSelector(IClearwellVault.NativeTransferFailed.selector, bob, 101 ether)
        );

        voucher = voucherFor(bob, address(token), 101 ether, 1);
        refuseWithdrawal(
            voucher,
            sign(voucher),
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, address(vault), 100 ether, 101 ether)
        );
        assertFalse(vault.isNonceUsed(1));
        assertEq(vault.availableToWithdraw(NATIVE), 200 ether);
    }

    function test_moneyGivenWithoutADepositCanBePaidOut() public {
        // Straight to the token, past `deposit`: no event of the vault, but the signer can give it back.
        vm.prank(bob);
        token.transfer(address(vault), 5 ether);
        withdraw(bob, address(token), 5 ether, 1);
        assertEq(token.balanceOf(bob), 1_000 ether);
    }
}
