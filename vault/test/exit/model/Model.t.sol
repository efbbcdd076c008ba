// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Test} from "forge-std/Test.sol";
import {IExitVault} from "../../../src/exit/IExitVault.sol";
import {Model} from "./Model.sol";
import {World} from "./World.sol";

/// What holds after any sequence of calls. 20,000 calls in all, 1,000,000 by `npm run nightly -- vault`.
abstract contract ModelInvariants is Test {
    Model internal model;

    function setUp() public {
        vm.warp(1_767_225_600);
        vm.roll(1_000_000);
        model = new Model();
        targetContract(address(model));
        targetSelector(FuzzSelector(address(model), steps()));
    }

    function steps() internal pure virtual returns (bytes4[] memory);

    function honestSteps() internal pure returns (bytes4[26] memory) {
        return [
            World.deposit.selector,
            World.requestExit.selector,
            World.cancelExit.selector,
            World.finishExit.selector,
            World.swap.selector,
            World.askWithdrawal.selector,
            World.askPayout.selector,
            World.submit.selector,
            World.sync.selector,
            World.postRoot.selector,
            World.postKept.selector,
            World.pause.selector,
            World.unpause.selector,
            World.wait.selector,
            Model.lend.selector,
            Model.pledge.selector,
            Model.unpledge.selector,
            Model.borrow.selector,
            Model.repay.selector,
            Model.announce.selector,
            Model.move.selector,
            Model.end.selector,
            Model.claim.selector,
            Model.settle.selector,
            Model.redeem.selector,
            Model.claimPledge.selector
        ];
    }

    /// No user has received more than the user paid in, in value over all assets, but for what others lost by rounding; and the
    /// vault's counters equal the money that moved.
    function checkMoney() internal view {
        for (uint256 user = 0; user < 2; ++user) {
            assertLe(model.received(user), model.deposited(user) + model.dust(), "paid twice");
        }
        for (uint256 i = 0; i < 3; ++i) {
            assertEq(model.heldBy(i), model.paidIn(i) - model.paidOut(i), "custody");
            IExitVault.Totals memory totals = model.vault().totalsOf(model.assets(i));
            uint256 paid;
            uint256 deposited;
            for (uint256 user = 0; user < 2; ++user) {
                IExitVault.Balance memory balance = model.vault().balanceOf(model.users(user), model.assets(i));
                (paid, deposited) = (paid + balance.paid, deposited + balance.deposited);
            }
            assertEq(totals.deposited, deposited, "deposits");
            if (!model.isTroubled()) assertEq(totals.paid + totals.exited, paid + totals.payoutPaid, "payments");
        }
    }
}

/// Keys in good hands and no root dropped: what claims are owed is exactly what the leaves give, and the vault is never short.
contract ModelTest is ModelInvariants {
    function steps() internal pure override returns (bytes4[] memory list) {
        bytes4[26] memory all = honestSteps();
        list = new bytes4[](26);
        for (uint256 i = 0; i < 26; ++i) {
            list[i] = all[i];
        }
    }

    /// forge-config: default.invariant.runs = 50
    /// forge-config: default.invariant.depth = 200
    /// forge-config: nightly.invariant.runs = 1250
    /// forge-config: nightly.invariant.depth = 400
    function invariant_leavesAreExactlyWhatIsOwed() public {
        checkMoney();
        uint256 newest = model.newest();
        for (uint256 i = 0; i < 3; ++i) {
            address asset = model.assets(i);
            assertEq(model.claims().owedAtEnd(asset), model.owedAt(newest, i), "owed");
            IExitVault.Closing memory closing = model.vault().closing();
            if (closing.movedAt != 0 || closing.endedAt != 0 || model.isRobbed()) continue;
            model.vault().noteShort(asset);
            assertEq(model.vault().figuresOf(asset).shortSince, 0, "short");
        }
        assertEq(model.loss(), 0, "a loss of the house");
    }
}

/// With a stolen signer and dropped roots as well.
contract TroubledModelTest is ModelInvariants {
    function steps() internal pure override returns (bytes4[] memory list) {
        bytes4[26] memory all = honestSteps();
        list = new bytes4[](28);
        for (uint256 i = 0; i < 26; ++i) {
            list[i] = all[i];
        }
        (list[26], list[27]) = (World.drop.selector, Model.forge.selector);
    }

    /// forge-config: default.invariant.runs = 50
    /// forge-config: default.invariant.depth = 200
    /// forge-config: nightly.invariant.runs = 1250
    /// forge-config: nightly.invariant.depth = 400
    function invariant_noUserReceivesMoreThanPaidIn() public view {
        checkMoney();
    }
}

/// Sequences that the million calls of a night found.
contract FoundSequencesTest is Test {
    /// Two orders of one pool are redeemed from a vault that was robbed. Each collateral is rounded down, and the unit that the two lose
    /// together is in the pot, whose only pledger gets it. No other account pays for it.
    function test_unitLostByRedeemedOrdersGoesToThePledger() public {
        vm.warp(1_767_225_600);
        vm.roll(1_000_000);
        Model model = new Model();
        model.lend(
            67467884347793742602003119315422691592594148030626339487,
            40866657156320874769821,
            type(uint256).max - 1,
            type(uint256).max - 1
        );
        model.lend(
            62986637275078319468157877921815684347095047089443009303189611183366395881,
            37199646181735826376957362696230332240978245479124206178025174,
            49274083790343573624922819332264302771,
            218891742066150676673001136283813159995916040909299358170723669474
        );
        model.end(990000000000000000);
        assertEq(model.received(1), model.deposited(1) + 1, "the pledger's unit");
        assertEq(model.dust(), 1, "lost by rounding");
        assertLt(model.received(0), model.deposited(0), "the borrower");
    }
}
