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

    function test_moneyThatComesInRestoresTheLimit() public {
        exhaust(NATIVE, 1);
        vm.prank(alice);
        vault.deposit{value: 3 ether}(NATIVE, 3 ether, ORDER);
        assertEq(vault.availableToWithdraw(NATIVE), 3 ether);
        vm.prank(alice);
        (bool done,) = address(vault).call{value: 4 ether}("");
        assertTrue(done);
        withdraw(bob, NATIVE, 7 ether, 9);
        refuseOverLimit(NATIVE, 1, 10, 0);
    }

    function test_tokensSentPastDepositRestoreTheLimitToo() public {
        // The server credits plain transfers, so they must not leave the limit used up.
        exhaust(address(token), 1);
        vm.prank(bob);
        token.transfer(address(vault), 25 ether);
        assertEq(vault.availableToWithdraw(address(token)), DAY_LIMIT);
    }

    function test_moneyThatComesInNeverRaisesTheLimit() public {
        vm.prank(alice);
        vault.deposit{value: 100 ether}(NATIVE, 100 ether, ORDER);
        assertEq(vault.availableToWithdraw(NATIVE), DAY_LIMIT);
        exhaust(NATIVE, 1);
        refuseOverLimit(NATIVE, 1, 9, 0);

        vm.prank(alice);
        vault.deposit{value: 100 ether}(NATIVE, 100 ether, ORDER);
        assertEq(vault.availableToWithdraw(NATIVE), DAY_LIMIT);
    }

    function test_moneyThatCameBackInAnotherSlotRestoresTheLimit() public {
        vm.warp(START + 4 hours - 1);
        exhaust(NATIVE, 1);
        vm.warp(START + 4 hours);
        vm.prank(bob);
        vault.deposit{value: 25 ether}(NATIVE, 25 ether, ORDER);
        assertEq(vault.availableToWithdraw(NATIVE), DAY_LIMIT);
        vm.warp(START + 32 hours);
        assertEq(vault.availableToWithdraw(NATIVE), DAY_LIMIT);
    }

    /// One account moves forty times the limit in and out within a day, and another still withdraws.
    function test_cyclingUsesNothingOfTheLimit() public {
        for (uint256 i = 0; i < 100; ++i) {
            vm.warp(START + i * 15 minutes);
            withdraw(alice, NATIVE, CAP, i);
            vm.prank(alice);
            vault.deposit{value: CAP}(NATIVE, CAP, ORDER);
        }
        assertEq(vault.availableToWithdraw(NATIVE), DAY_LIMIT);
        exhaust(NATIVE, 100);
    }

    function test_anAssetWithoutLimitsHasNothingAvailable() public {
        assertEq(vault.availableToWithdraw(makeAddr("unlisted")), 0);
    }

    function test_largestLimitsOverflowNothing() public {
        setLimits(NATIVE, type(uint256).max, type(uint256).max);
        withdraw(bob, NATIVE, 500 ether, 1);
        assertEq(vault.availableToWithdraw(NATIVE), type(uint256).max - 500 ether);

        IClearwellVault.Voucher memory voucher = voucherFor(bob, NATIVE, type(uint256).max, 2);
        refuseWithdrawal(
            voucher,
            sign(voucher),
            abi.encodeWithSelector(
                IClearwellVault.WithdrawalExceedsLimit.selector, type(uint256).max, type(uint256).max - 500 ether
            )
        );
        vm.prank(bob);
        vault.deposit{value: 500 ether}(NATIVE, 500 ether, ORDER);
        assertEq(vault.availableToWithdraw(NATIVE), type(uint256).max);
        withdraw(bob, NATIVE, 500 ether, 2);
    }

    /// Ten withdrawals, each as large as the vault lets it be, at any pace, with money coming in between: within no 24
    /// hours, wherever they begin, does the balance fall by more than the limit, and 28 hours of rest always bring the
    /// whole limit back.
    function testFuzz_noDayFallsByMoreThanTheLimit(
        uint32[10] calldata pauses,
        uint128[10] calldata wishes,
        uint64[10] calldata deposits
    ) public {
        setLimits(NATIVE, DAY_LIMIT, DAY_LIMIT);
        uint256[10] memory times;
        uint256[10] memory before;
        uint256 time = START;

        for (uint256 i = 0; i < 10; ++i) {
            time += pauses[i] % 9 hours;
            vm.warp(time);
            times[i] = time;
            if (deposits[i] % 2 == 1) {
                vm.deal(bob, deposits[i]);
                vm.prank(bob);
                vault.deposit{value: deposits[i]}(NATIVE, deposits[i], ORDER);
            }
            before[i] = address(vault).balance;
            uint256 available = vault.availableToWithdraw(NATIVE);
            if (available == 0) continue;
            withdraw(bob, NATIVE, bound(wishes[i], 1, available), i);

            for (uint256 j = 0; j <= i; ++j) {
                if (times[j] + 24 hours >= time) assertLe(before[j], address(vault).balance + DAY_LIMIT);
            }
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
