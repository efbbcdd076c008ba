// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IClearwellVault} from "../src/IClearwellVault.sol";
import {VaultFixture} from "./VaultFixture.sol";

contract LimitsTest is VaultFixture {
    function setUp() public override {
        super.setUp();
        fund(500 ether);
    }

    function test_capIsTheMostThatOneVoucherPays() public {
        withdraw(bob, NATIVE, CAP, 1);
        IClearwellVault.Voucher memory voucher = voucherFor(bob, NATIVE, CAP + 1, 2);
        refuseWithdrawal(
            voucher, sign(voucher), abi.encodeWithSelector(IClearwellVault.WithdrawalExceedsCap.selector, CAP + 1, CAP)
        );
    }

    function test_limitIsTheMostThatADayPays() public {
        withdraw(bob, NATIVE, 10 ether, 1);
        withdraw(alice, NATIVE, 10 ether, 2);
        assertEq(vault.availableToWithdraw(NATIVE), 5 ether);
        refuseOverLimit(NATIVE, 5 ether + 1, 3, 5 ether);

        withdraw(bob, NATIVE, 5 ether, 3);
        assertEq(vault.availableToWithdraw(NATIVE), 0);
        refuseOverLimit(NATIVE, 1, 4, 0);
    }

    function test_eachAssetHasItsOwnLimit() public {
        exhaust(NATIVE, 1);
        assertEq(vault.availableToWithdraw(address(token)), DAY_LIMIT);
        withdraw(bob, address(token), CAP, 100);
    }

    function test_limitComesBackAfter24HoursAtASlotsStart() public {
        exhaust(NATIVE, 1);
        vm.warp(START + 28 hours - 1);
        assertEq(vault.availableToWithdraw(NATIVE), 0);
        vm.warp(START + 28 hours);
        assertEq(vault.availableToWithdraw(NATIVE), DAY_LIMIT);
    }

    function test_limitComesBackRightAfter24HoursAtASlotsEnd() public {
        vm.warp(START + 4 hours - 1);
        exhaust(NATIVE, 1);
        vm.warp(START + 28 hours - 1);
        refuseOverLimit(NATIVE, 1, 9, 0);
        vm.warp(START + 28 hours);
        withdraw(bob, NATIVE, CAP, 9);
    }

    function test_midnightDoesNotDoubleTheLimit() public {
        vm.warp(START + 1 days - 1);
        exhaust(NATIVE, 1);
        vm.warp(START + 1 days);
        refuseOverLimit(NATIVE, 1, 9, 0);
    }

    function test_zeroCapOrZeroLimitLetsNothingOut() public {
        setLimits(NATIVE, 0, DAY_LIMIT);
        IClearwellVault.Voucher memory voucher = voucherFor(bob, NATIVE, 1, 1);
        refuseWithdrawal(
            voucher, sign(voucher), abi.encodeWithSelector(IClearwellVault.WithdrawalExceedsCap.selector, 1, 0)
        );

        setLimits(NATIVE, CAP, 0);
        refuseOverLimit(NATIVE, 1, 1, 0);
    }

    function test_assetWithoutLimitsLetsNothingOut() public {
        IClearwellVault.Voucher memory voucher = voucherFor(bob, makeAddr("unlisted"), 1, 1);
        refuseWithdrawal(
            voucher, sign(voucher), abi.encodeWithSelector(IClearwellVault.WithdrawalExceedsCap.selector, 1, 0)
        );
    }

    function test_loweredLimitCountsWhatHasLeft() public {
        withdraw(bob, NATIVE, 10 ether, 1);
        setLimits(NATIVE, CAP, 4 ether);
        assertEq(vault.availableToWithdraw(NATIVE), 0);
        refuseOverLimit(NATIVE, 1, 2, 0);

        setLimits(NATIVE, CAP, 12 ether);
        assertEq(vault.availableToWithdraw(NATIVE), 2 ether);
    }

    function test_largestLimitsOverflowNothing() public {
        setLimits(NATIVE, type(uint256).max, type(uint256).max);
        withdraw(bob, NATIVE, 500 ether, 1);
        assertEq(vault.availableToWithdraw(NATIVE), type(uint256).max - 500 ether);

        vm.prank(bob);
        vault.deposit{value: 500 ether}(NATIVE, 500 ether, ORDER);
        IClearwellVault.Voucher memory voucher = voucherFor(bob, NATIVE, type(uint256).max, 2);
        refuseWithdrawal(
            voucher,
            sign(voucher),
            abi.encodeWithSelector(
                IClearwellVault.WithdrawalExceedsLimit.selector, type(uint256).max, type(uint256).max - 500 ether
            )
        );
        withdraw(bob, NATIVE, 500 ether, 2);
    }

    /// Ten withdrawals, each as large as the vault lets it be, at any pace: no window of 24 hours sees more than the
    /// limit, wherever it begins, and 28 hours of rest always bring the whole limit back.
    function testFuzz_noDaySeesMoreThanTheLimit(uint32[10] calldata pauses, uint128[10] calldata wishes) public {
        setLimits(NATIVE, DAY_LIMIT, DAY_LIMIT);
        uint256[10] memory times;
        uint256[10] memory amounts;
        uint256 time = START;

        for (uint256 i = 0; i < 10; ++i) {
            time += pauses[i] % 9 hours;
            vm.warp(time);
            times[i] = time;
            uint256 available = vault.availableToWithdraw(NATIVE);
            if (available == 0) continue;
            amounts[i] = bound(wishes[i], 1, available);
            withdraw(bob, NATIVE, amounts[i], i);

            uint256 sum = 0;
            for (uint256 j = 0; j <= i; ++j) {
                if (times[j] + 24 hours >= time) sum += amounts[j];
            }
            assertLe(sum, DAY_LIMIT);
        }

        vm.warp(time + 28 hours);
        assertEq(vault.availableToWithdraw(NATIVE), DAY_LIMIT);
    }

    function exhaust(address asset, uint256 nonce) private {
        withdraw(bob, asset, 10 ether, nonce);
        withdraw(bob, asset, 10 ether, nonce + 1);
        withdraw(bob, asset, 5 ether, nonce + 2);
    }

    function refuseOverLimit(address asset, uint256 asked, uint256 nonce, uint256 available) private {
        IClearwellVault.Voucher memory voucher = voucherFor(bob, asset, asked, nonce);
        refuseWithdrawal(
            voucher,
            sign(voucher),
            abi.encodeWithSelector(IClearwellVault.WithdrawalExceedsLimit.selector, asked, available)
        );
    }
}
