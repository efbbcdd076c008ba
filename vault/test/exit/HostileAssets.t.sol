// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IExitVault} from "../../src/exit/IExitVault.sol";
import {FeeToken, HookToken, PlayToken, SenderFeeToken} from "../tokens/HostileTokens.sol";
import {ExitFixture} from "./ExitFixture.sol";

/// Misbehaves when it is armed: reverts, burns all gas, or returns a balance of its choice.
contract FaultyToken is PlayToken {
    uint256 public fault;
    uint256 public lie;

    function arm(uint256 fault_, uint256 lie_) external {
        (fault, lie) = (fault_, lie_);
    }

    function balanceOf(address account) public view override returns (uint256) {
        if (fault == 1) revert("frozen");
        if (fault == 2) while (true) {}
        if (fault == 3) return lie;
        return super.balanceOf(account);
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        if (fault == 4) revert("frozen");
        if (fault == 5) return true;
        return super.transfer(to, amount);
    }
}

/// Calls the vault again while it is paid.
contract ReentrantReceiver {
    address public target;
    bytes public data;
    bytes public answer;

    function run(address target_, bytes calldata first, bytes calldata second) external {
        (target, data) = (target_, second);
        (bool done, bytes memory result) = target_.call(first);
        if (!done) {
            assembly {
                revert(add(result, 32), mload(result))
            }
        }
    }

    receive() external payable {
        (, answer) = target.call(data);
    }
}

/// Invariant 10: one frozen, lying or reentrant asset delays only itself.
contract HostileAssetsTest is ExitFixture {
    address private constant BNB = address(0);
    FaultyToken private faulty;

    function setUp() public override {
        super.setUp();
        // The code changes behind the address, as a proxy's would.
        faulty = FaultyToken(address(eth));
        vm.etch(address(eth), type(FaultyToken).runtimeCode);
        deposit(alice, address(eth), 10 ether);
        deposit(alice, BNB, 10 ether);
    }

    function test_faultyBalanceStopsNeitherRootsNorOtherExits() public {
        for (uint256 fault = 1; fault <= 3; ++fault) {
            uint256 start = vm.snapshotState();
            requestExit(alice);
            faulty.arm(fault, type(uint256).max);
            uint256 root = post();
            assertEq(vault.figuresOf(address(eth)).shortSince, vm.getBlockTimestamp());
            pass(7 days);
            finishExit(alice, BNB, root);
            assertEq(alice.balance, 1_000 ether);
            bytes memory refusal = abi.encodeWithSelector(IExitVault.BalanceUnknown.selector, address(eth));
            refuseExit(alice, address(eth), root, refusal);
            faulty.arm(0, 0);
            finishExit(alice, address(eth), root);
            vm.revertToState(start);
        }
    }

    /// A caller cannot make a sound asset look short by giving the call little gas.
    function test_littleGasDoesNotMakeAnAssetShort() public {
        post();
        for (uint256 gas_ = 60_000; gas_ < 200_000; gas_ += 1_000) {
            (bool done,) = address(vault).call{gas: gas_}(abi.encodeCall(vault.noteShort, (address(eth))));
            if (done) assertEq(vault.figuresOf(address(eth)).shortSince, 0);
        }
    }

    function test_tokenThatPaysNothingUndoesTheExit() public {
        uint256 root = post();
        requestExit(alice);
        pass(7 days);
        faulty.arm(5, 0);
        bytes memory refusal = abi.encodeWithSelector(
            IExitVault.UnexpectedBalanceChange.selector, address(eth), 10 ether, 10 ether, 10 ether
        );
        refuseExit(alice, address(eth), root, refusal);
        assertEq(vault.balanceOf(alice, address(eth)).paid, 0);
        faulty.arm(0, 0);
        finishExit(alice, address(eth), root);
    }

    function test_frozenAssetDelaysOnlyItsOwnClaims() public {
        uint256 root = post();
        pass(30 days);
        faulty.arm(1, 0);
        vault.startEnd(BNB);
        pass(1 days);
        vault.end();
        assertEq(claimAfterEnd(alice, BNB, root), 10 ether);
        vm.expectRevert();
        claims.takeOver(address(eth));
        faulty.arm(0, 0);
        assertEq(claimAfterEnd(alice, address(eth), root), 10 ether);
    }

    function test_receiverCannotEnterAgain() public {
        ReentrantReceiver receiver = new ReentrantReceiver();
        accounts.push(address(receiver));
        give(address(receiver), BNB, 5 ether);
        vm.prank(address(receiver));
        vault.deposit{value: 5 ether}(BNB, 5 ether, 0);
        uint256 root = post();
        vm.prank(address(receiver));
        vault.requestExit();
        pass(7 days);
        bytes memory exit =
            abi.encodeCall(vault.finishExit, (proofOf(root), claimOf(root, address(receiver), BNB), address(receiver)));
        receiver.run(address(vault), exit, exit);
        assertEq(address(receiver).balance, 5 ether);
        assertEq(bytes4(receiver.answer()), ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);
    }

    function test_depositCreditsWhatArrived() public {
        vm.etch(address(eth), type(FeeToken).runtimeCode);
        deposit(bob, address(eth), 100 ether);
        assertEq(vault.balanceOf(bob, address(eth)).deposited, 99 ether);
        assertEq(vault.totalsOf(address(eth)).deposited, 109 ether);
    }

    function test_hookDuringADepositCannotEnterAgain() public {
        vm.etch(address(eth), type(HookToken).runtimeCode);
        HookToken hook = HookToken(payable(address(eth)));
        post();
        hook.arm(address(vault), 0, abi.encodeCall(vault.requestExit, ()));
        deposit(bob, address(eth), 1 ether);
        assertFalse(hook.callSucceeded());
        assertEq(bytes4(hook.answer()), ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);
    }

    function test_hookDuringAnExitCannotEnterAgain() public {
        uint256 root = post();
        requestExit(alice);
        pass(7 days);
        vm.etch(address(eth), type(HookToken).runtimeCode);
        HookToken hook = HookToken(payable(address(eth)));
        hook.arm(address(vault), 0, abi.encodeCall(vault.requestExit, ()));
        finishExit(alice, address(eth), root);
        assertEq(hook.balanceOf(alice), 1_000 ether);
        assertFalse(hook.callSucceeded());
        assertEq(bytes4(hook.answer()), ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);
    }

    /// A fee on what arrives is the payee's loss, and one that the vault would pay undoes the exit.
    function test_noFeeOfAnExitIsPaidByTheVault() public {
        deposit(bob, address(eth), 5 ether);
        uint256 root = post();
        requestExit(alice);
        pass(7 days);
        vm.etch(address(eth), type(SenderFeeToken).runtimeCode);
        bytes memory refusal = abi.encodeWithSelector(
            IExitVault.UnexpectedBalanceChange.selector, address(eth), 15 ether, 5 ether - 1, 10 ether
        );
        refuseExit(alice, address(eth), root, refusal);
        vm.etch(address(eth), type(FeeToken).runtimeCode);
        finishExit(alice, address(eth), root);
        assertEq(held(address(eth), address(vault)), 5 ether);
        assertEq(held(address(eth), alice), 999.9 ether);
        assertEq(vault.balanceOf(alice, address(eth)).paid, 10 ether);
    }
}
