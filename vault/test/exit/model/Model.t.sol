// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Test} from "forge-std/Test.sol";
import {IExitVault} from "../../../src/exit/IExitVault.sol";
import {World} from "./World.sol";

/// After any sequence of calls, no user has received more than the user paid in, in value over all assets, and the vault's
/// counters equal the money that moved.
contract ModelTest is Test {
    World private world;

    function setUp() public {
        vm.warp(1_767_225_600);
        vm.roll(1_000_000);
        world = new World();
        targetContract(address(world));
        bytes4[] memory steps = new bytes4[](16);
        steps[0] = World.deposit.selector;
        steps[1] = World.requestExit.selector;
        steps[2] = World.cancelExit.selector;
        steps[3] = World.finishExit.selector;
        steps[4] = World.swap.selector;
        steps[5] = World.askWithdrawal.selector;
        steps[6] = World.submit.selector;
        steps[7] = World.sync.selector;
        steps[8] = World.postRoot.selector;
        steps[9] = World.postKept.selector;
        steps[10] = World.pause.selector;
        steps[11] = World.unpause.selector;
        steps[12] = World.drop.selector;
        steps[13] = World.wait.selector;
        steps[14] = World.end.selector;
        steps[15] = World.claim.selector;
        targetSelector(FuzzSelector(address(world), steps));
    }

    /// forge-config: default.invariant.runs = 100
    /// forge-config: default.invariant.depth = 200
    /// forge-config: nightly.invariant.runs = 2500
    /// forge-config: nightly.invariant.depth = 400
    function invariant_noUserReceivesMoreThanPaidIn() public view {
        for (uint256 user = 0; user < 2; ++user) {
            assertLe(world.received(user), world.deposited(user), "paid twice");
        }
        for (uint256 i = 0; i < 3; ++i) {
            address asset = world.assets(i);
            assertEq(world.heldBy(i), world.paidIn(i) - world.paidOut(i), "custody");
            IExitVault.Totals memory totals = world.vault().totalsOf(asset);
            uint256 paid;
            uint256 deposited;
            for (uint256 user = 0; user < 2; ++user) {
                IExitVault.Balance memory balance = world.vault().balanceOf(world.users(user), asset);
                (paid, deposited) = (paid + balance.paid, deposited + balance.deposited);
            }
            assertEq(totals.paid + totals.exited, paid, "payments");
            assertEq(totals.deposited, deposited, "deposits");
        }
    }
}
