// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {ClearwellVault} from "../src/ClearwellVault.sol";
import {IClearwellVault} from "../src/IClearwellVault.sol";
import {VaultFixture} from "./VaultFixture.sol";
import {
    AllFeeToken,
    BonusToken,
    FalseToken,
    FeeToken,
    HookToken,
    LyingToken,
    PlayToken,
    SenderFeeToken,
    SilentToken,
    ThievingToken
} from "./tokens/HostileTokens.sol";

contract HostileTest is VaultFixture {
    // Tokens that move other amounts than asked for

    function testFuzz_feeTokenIsCreditedWithWhatArrived(uint96 amount) public {
        amount = uint96(bound(amount, 1, type(uint96).max));
        PlayToken fee = list(new FeeToken());
        fee.mint(alice, amount);

        vm.startPrank(alice);
        fee.approve(address(vault), amount);
        uint256 arrives = amount - amount / 100;
        vm.expectEmit(address(vault));
        emit IClearwellVault.Deposited(alice, address(fee), arrives, ORDER);
        vault.deposit(address(fee), amount, ORDER);
        assertEq(fee.balanceOf(address(vault)), arrives);
    }

    function test_feeTokenLeavesTheVaultByTheVouchersAmount() public {
        PlayToken fee = list(new FeeToken());
        fee.mint(address(vault), 10 ether);
        withdraw(bob, address(fee), 1 ether, 1);
        assertEq(fee.balanceOf(address(vault)), 9 ether);
        assertEq(fee.balanceOf(bob), 0.99 ether);
    }

    function test_depositOfWhichNothingArrivesIsRefused() public {
        PlayToken[2] memory tokens = [list(new AllFeeToken()), list(new LyingToken())];
        for (uint256 i = 0; i < tokens.length; ++i) {
            refuseDeposit(tokens[i], abi.encodeWithSelector(IClearwellVault.ZeroAmount.selector));
        }
    }

    function test_depositOfWhichMoreArrivesIsRefused() public {
        PlayToken bonus = list(new BonusToken());
        refuseDeposit(bonus, unexpected(bonus, 0, 1 ether + 1));
    }

    function test_depositThatTakesFromTheVaultIsRefused() public {
        PlayToken thief = list(new ThievingToken());
        thief.mint(address(vault), 5);
        refuseDeposit(thief, unexpected(thief, 5, 4));
    }

    function test_withdrawalThatMovesAnotherAmountIsRefused() public {
        PlayToken[3] memory tokens = [list(new SenderFeeToken()), list(new LyingToken()), list(new ThievingToken())];
        uint256[3] memory balancesAfter = [uint256(9 ether - 1), 10 ether, 10 ether + 1];
        for (uint256 i = 0; i < tokens.length; ++i) {
            tokens[i].mint(address(vault), 10 ether);
            IClearwellVault.Voucher memory voucher = voucherFor(bob, address(tokens[i]), 1 ether, 1);
            refuseWithdrawal(voucher, sign(voucher), unexpected(tokens[i], 10 ether, balancesAfter[i]));
            assertFalse(vault.isNonceUsed(1));
        }
    }

    // Tokens that answer otherwise than the standard says

    function test_tokenThatAnswersFalseIsRefusedBothWays() public {
        PlayToken refuser = list(new FalseToken());
        bytes memory refusal = abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(refuser));
        refuseDeposit(refuser, refusal);

        refuser.mint(address(vault), 1 ether);
        IClearwellVault.Voucher memory voucher = voucherFor(bob, address(refuser), 1 ether, 1);
        refuseWithdrawal(voucher, sign(voucher), refusal);
    }

    function test_tokenThatAnswersNothingWorksBothWays() public {
        SilentToken silent = new SilentToken();
        setLimits(address(silent), CAP, DAY_LIMIT);
        silent.mint(alice, 2 ether);

        vm.startPrank(alice);
        silent.approve(address(vault), 2 ether);
        vm.expectEmit(address(vault));
        emit IClearwellVault.Deposited(alice, address(silent), 2 ether, ORDER);
        vault.deposit(address(silent), 2 ether, ORDER);
        vm.stopPrank();

        withdraw(bob, address(silent), 1 ether, 1);
        assertEq(silent.balanceOf(bob), 1 ether);
        assertEq(silent.balanceOf(address(vault)), 1 ether);
    }

    function test_addressWithoutCodeIsNoToken() public {
        setLimits(stranger, CAP, DAY_LIMIT);
        vm.prank(alice);
        vm.expectRevert();
        vault.deposit(stranger, 1, ORDER);

        vm.prank(alice);
        vm.expectRevert();
        vault.depositWithPermit(stranger, 1, ORDER, START, 27, 0, 0);

        IClearwellVault.Voucher memory voucher = voucherFor(bob, stranger, 1, 1);
        bytes memory signature = sign(voucher);
        vm.expectRevert();
        vault.withdraw(voucher, signature);
    }

    function test_tokenWithoutPermitFallsBackToItsAllowance() public {
        PlayToken plain = list(new FeeToken());
        plain.mint(alice, 1 ether);
        vm.startPrank(alice);
        plain.approve(address(vault), 1 ether);
        vault.depositWithPermit(address(plain), 1 ether, ORDER, START, 27, 0, 0);
        assertEq(plain.balanceOf(address(vault)), 0.99 ether);
    }

    // Ways back in

    function test_tokenCannotReenterFromDepositPermitOrWithdrawal() public {
        HookToken hook = new HookToken();
        list(hook);
        hook.mint(alice, 100 ether);
        hook.mint(address(hook), 100 ether);
        hook.mint(address(vault), 100 ether);
        vm.deal(address(hook), 1 ether);
        fund(10 ether);
        vm.prank(alice);
        hook.approve(address(vault), type(uint256).max);

        IClearwellVault.Voucher memory inner = voucherFor(bob, NATIVE, 1 ether, 1_000);
        bytes[4] memory ways = [
            bytes(""),
            abi.encodeCall(vault.deposit, (address(hook), 1 ether, ORDER)),
            abi.encodeCall(vault.depositWithPermit, (address(hook), 1 ether, ORDER, START, 27, 0, 0)),
            abi.encodeCall(vault.withdraw, (inner, sign(inner)))
        ];
        for (uint256 i = 0; i < ways.length; ++i) {
            // Only the plain transfer carries the native coin.
            uint256 value = i == 0 ? 1 ether : 0;

            hook.arm(address(vault), value, ways[i]);
            vm.prank(alice);
            vault.deposit(address(hook), 1 ether, ORDER);
            assertRefusedAsReentry(hook);

            hook.arm(address(vault), value, ways[i]);
            vm.prank(alice);
            vault.depositWithPermit(address(hook), 1 ether, ORDER, START, 27, 0, 0);
            assertRefusedAsReentry(hook);

            hook.arm(address(vault), value, ways[i]);
            withdraw(bob, address(hook), 1 ether, i);
            assertRefusedAsReentry(hook);
        }
        assertFalse(vault.isNonceUsed(1_000));
        assertEq(hook.balanceOf(address(vault)), 104 ether);
        assertEq(address(vault).balance, 10 ether);
    }

    function test_tokenThatPaysTheVaultDuringADepositIsRefused() public {
        // Else the payment would be credited by this event and again by a reader of the token's own events.
        HookToken hook = new HookToken();
        list(hook);
        hook.mint(address(hook), 5);
        hook.arm(address(hook), 0, abi.encodeCall(hook.transfer, (address(vault), 5)));
        refuseDeposit(hook, unexpected(hook, 0, 1 ether + 5));
    }

    function test_receiverCannotReenterByAnyWay() public {
        fund(100 ether);
        Reenterer receiver = new Reenterer(vault);
        IClearwellVault.Voucher memory voucher = voucherFor(address(receiver), NATIVE, 1 ether, 1);
        IClearwellVault.Voucher memory next = voucherFor(address(receiver), NATIVE, 1 ether, 2);
        bytes[4] memory ways = [
            bytes(""),
            abi.encodeCall(vault.deposit, (NATIVE, 1 ether, ORDER)),
            abi.encodeCall(vault.withdraw, (voucher, sign(voucher))),
            abi.encodeCall(vault.withdraw, (next, sign(next)))
        ];
        for (uint256 i = 0; i < ways.length; ++i) {
            receiver.arm(ways[i], i < 2 ? 1 ether : 0);
            voucher.nonce = 10 + i;
            vault.withdraw(voucher, sign(voucher));
            assertEq(
                receiver.answer(),
                abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector)
            );
        }
        assertEq(address(receiver).balance, 4 ether);
        assertEq(address(vault).balance, 96 ether);
        assertFalse(vault.isNonceUsed(2));
    }

    function test_receiverThatRefusesLeavesTheVoucherUnused() public {
        fund(100 ether);
        address refuser = address(new Refuser());
        IClearwellVault.Voucher memory voucher = voucherFor(refuser, NATIVE, 1 ether, 1);
        refuseWithdrawal(
            voucher,
            sign(voucher),
            abi.encodeWithSelector(IClearwellVault.NativeTransferFailed.selector, refuser, 1 ether)
        );
        assertFalse(vault.isNonceUsed(1));
        assertEq(vault.availableToWithdraw(NATIVE), DAY_LIMIT);
    }

    function test_receiverWithALongAnswerCostsTheSubmitterNothing() public {
        fund(100 ether);
        address bomb = address(new ReturnBomb());
        IClearwellVault.Voucher memory voucher = voucherFor(bomb, NATIVE, 1 ether, 1);
        bytes memory signature = sign(voucher);
        // The answer costs the receiver 2.2 million gas to make; copying it would cost as much again.
        vault.withdraw{gas: 3_000_000}(voucher, signature);
        assertEq(bomb.balance, 1 ether);
    }

    function list(PlayToken hostile) private returns (PlayToken) {
        setLimits(address(hostile), CAP, DAY_LIMIT);
        return hostile;
    }

    function refuseDeposit(PlayToken hostile, bytes memory refusal) private {
        hostile.mint(alice, 2 ether);
        vm.startPrank(alice);
        hostile.approve(address(vault), 2 ether);
        vm.expectRevert(refusal);
        vault.deposit(address(hostile), 1 ether, ORDER);
        vm.stopPrank();
    }

    function unexpected(PlayToken hostile, uint256 balanceBefore, uint256 balanceAfter)
        private
        pure
        returns (bytes memory)
    {
        return abi.encodeWithSelector(
            IClearwellVault.UnexpectedBalanceChange.selector, address(hostile), balanceBefore, balanceAfter, 1 ether
        );
    }

    function assertRefusedAsReentry(HookToken hook) private view {
        assertEq(hook.target(), address(0), "the hook was not reached");
        assertFalse(hook.callSucceeded());
        assertEq(hook.answer(), abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector));
    }
}

/// Spends what it receives on one more call to the vault.
contract Reenterer {
    ClearwellVault private immutable _vault;
    bytes private _callData;
    uint256 private _value;
    bytes public answer;

    constructor(ClearwellVault vault) {
        _vault = vault;
    }

    function arm(bytes calldata callData, uint256 value) external {
        _callData = callData;
        _value = value;
        answer = "";
    }

    receive() external payable {
        (, answer) = address(_vault).call{value: _value}(_callData);
    }
}

contract Refuser {
    receive() external payable {
        revert("no");
    }
}

contract ReturnBomb {
    receive() external payable {
        assembly {
            return(0, 1000000)
        }
    }
}
