// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IExitVault} from "../../src/exit/IExitVault.sol";
import {PositionsTree} from "../../src/exit/PositionsTree.sol";
import {Settlement} from "../../src/exit/Settlement.sol";
import {ExitFixture} from "./ExitFixture.sol";

/// A dollar pool with 100 in cash and 300 lent, worth 330 with interest, to carol for 2 BNB and to bob for 1 BNB. Alice has
/// three quarters of its shares, the thief the rest. A BNB pool has 5 in cash, and all of it is alice's.
contract SettlementTest is ExitFixture {
    address private constant BNB = address(0);
    address private dollar;
    uint256 private root;
    PositionsTree.Pool[] private list;
    bytes32[4] private leaves;

    function setUp() public override {
        super.setUp();
        dollar = address(usdt);
        give(address(vault), dollar, 100 ether);
        give(address(vault), BNB, 8 ether);
        (house[dollar].lending, house[BNB].lending) = (100 ether, 8 ether);
        uint128[] memory none = new uint128[](2);
        uint128[] memory collateral = new uint128[](2);
        collateral[0] = 3 ether;
        list.push(PositionsTree.Pool(BNB, 5 ether, 5e24, 0, 1e27, none));
        list.push(PositionsTree.Pool(dollar, 100 ether, 4e26, 300 ether, 1.1e27, collateral));
        pools = PositionsTree.hashPools(list);
        leaves = [
            PositionsTree.hashOrder(carol, orderOf(1)),
            PositionsTree.hashOrder(bob, orderOf(2)),
            PositionsTree.hashPledge(alice, pledgeOf(dollar, 3e26)),
            PositionsTree.hashPledge(thief, pledgeOf(dollar, 1e26))
        ];
        postLeaves();
    }

    function postLeaves() private {
        positionsRoot = PositionsTree.hashNode(above(0), above(2));
        positionsRoot = sha256(abi.encodePacked(uint8(0x14), uint8(2), positionsRoot));
        root = post();
    }

    function test_borrowersRedeemAndPledgersShareTheRest() public {
        end();
        open();
        uint256 debt = settlement.debtOf(dollar, 200 ether);
        assertEq(debt, 220 ether);
        redeem(carol, 1, debt);
        assertEq(carol.balance, 1_002 ether);
        assertEq(held(dollar, carol), 780 ether);
        pass(90 days);
        refuseRedeem(bob, 2);

        // 100 in cash and 220 repaid; bob's collateral is forfeited.
        assertEq(claimPledge(alice, 3e26, 2, dollar), 240 ether);
        assertEq(claimPledge(thief, 1e26, 3, dollar), 80 ether);
        assertEq(claimPledge(alice, 3e26, 2, BNB), 0.75 ether);
        assertEq(claimPledge(thief, 1e26, 3, BNB), 0.25 ether);
        assertEq(held(dollar, address(settlement)), 0);
        // The BNB pool's cash has its own pot.
        assertEq(address(settlement).balance, 5 ether);
        refuseClaim(alice, 3e26, 2, dollar, abi.encodeWithSelector(Settlement.NothingToPay.selector));
    }

    function test_fractionLowersCollateralAndCashAlike() public {
        take(BNB, 4 ether);
        take(dollar, 50 ether);
        end();
        open();
        redeem(carol, 1, 220 ether);
        assertEq(carol.balance, 1_001 ether);
        pass(90 days);
        assertEq(claimPledge(alice, 3e26, 2, dollar), uint256(270 ether) * 3 / 4);
        assertEq(claimPledge(thief, 1e26, 3, BNB), 0.125 ether);
    }

    function test_orderIsRedeemedOnceAndInFull() public {
        end();
        open();
        (bytes32[] memory path, bytes32[] memory other) = (pathOf(0), pathOf(1));
        vm.startPrank(carol);
        usdt.approve(address(settlement), type(uint256).max);
        vm.expectRevert(abi.encodeWithSelector(Settlement.WrongPayment.selector, 220 ether - 1, 220 ether));
        settlement.redeem(orderOf(1), 0, path, 220 ether - 1, carol);
        settlement.redeem(orderOf(1), 0, path, 220 ether, carol);
        vm.expectRevert(Settlement.AlreadyDone.selector);
        settlement.redeem(orderOf(1), 0, path, 220 ether, carol);
        vm.stopPrank();
        // Another account's order, and one that is in no tree.
        vm.startPrank(thief);
        vm.expectRevert(Settlement.WrongPath.selector);
        settlement.redeem(orderOf(2), 1, other, 220 ether, thief);
        vm.stopPrank();
        PositionsTree.Order memory order = orderOf(2);
        order.collateral = 3 ether;
        vm.prank(bob);
        vm.expectRevert(Settlement.WrongPath.selector);
        settlement.redeem(order, 1, other, 220 ether, bob);
    }

    function test_pledgersWaitForTheBorrowers() public {
        end();
        open();
        pass(90 days - 1);
        uint256 until = vm.getBlockTimestamp() + 1;
        refuseClaim(alice, 3e26, 2, dollar, abi.encodeWithSelector(Settlement.OutsideWindow.selector, until));
        refuseClaim(alice, 4e26, 2, dollar, abi.encodeWithSelector(Settlement.WrongPath.selector));
        refuseClaim(bob, 3e26, 2, dollar, abi.encodeWithSelector(Settlement.WrongPath.selector));
        pass(1);
        assertEq(claimPledge(alice, 3e26, 2, dollar), 75 ether);
    }

    /// Debts that are repaid after a first claim, because collateral was released late, are shared by a second one.
    function test_lateRepaymentIsSharedByALaterClaim() public {
        end();
        settlement.open(postedOf(root), list);
        claims.releaseLending(postedOf(root), 1);
        settlement.fund(dollar);
        pass(90 days);
        assertEq(claimPledge(alice, 3e26, 2, dollar), 75 ether);
        claims.releaseLending(postedOf(root), 0);
        redeem(carol, 1, 220 ether);
        assertEq(claimPledge(alice, 3e26, 2, dollar), 165 ether);
        assertEq(claimPledge(thief, 1e26, 3, dollar), 80 ether);
    }

    /// Repaid debts are in pots before the asset is funded: they do not make up for a token that delivered less.
    function test_fundingCountsWhatArrivedBesideTheRepaidDebts() public {
        end();
        settlement.open(postedOf(root), list);
        claims.releaseLending(postedOf(root), 0);
        redeem(carol, 1, 220 ether);
        claims.releaseLending(postedOf(root), 1);
        vm.prank(address(settlement));
        usdt.transfer(address(this), 10 ether);
        settlement.fund(dollar);
        (uint128 received,,) = settlement.fundingOf(dollar);
        assertEq(received, 90 ether);
        pass(90 days);
        // 90 in cash and 220 repaid.
        assertEq(claimPledge(alice, 3e26, 2, dollar), 232.5 ether);
        assertEq(claimPledge(thief, 1e26, 3, dollar), 77.5 ether);
    }

    /// Leaves with more shares than their pool has take nothing from the pots of other pools.
    function test_poolPaysNoMoreThanItsPot() public {
        leaves[3] = PositionsTree.hashPledge(thief, pledgeOf(dollar, 2e26));
        postLeaves();
        end();
        open();
        pass(90 days);
        assertEq(claimPledge(alice, 3e26, 2, BNB), 2.25 ether);
        refuseClaim(thief, 2e26, 3, BNB, abi.encodeWithSelector(Settlement.NothingToPay.selector));
        assertEq(address(settlement).balance, 5.75 ether);
    }

    function test_debtIsRoundedUp() public {
        end();
        open();
        assertEq(settlement.debtOf(dollar, 1), 2);
        assertEq(settlement.debtOf(dollar, 10), 11);
    }

    function test_lendingIsReleasedOnceAndOnlyAfterTheEnd() public {
        IExitVault.PostedHeader memory last = postedOf(root);
        vm.expectRevert(abi.encodeWithSelector(IExitVault.NotTheLastRoot.selector, root));
        claims.releaseLending(last, 0);
        vm.expectRevert(Settlement.NotTheEndRoot.selector);
        settlement.open(last, list);
        end();
        claims.releaseLending(last, 0);
        vm.expectRevert(IExitVault.AlreadyDone.selector);
        claims.releaseLending(last, 0);
        vm.expectRevert(IExitVault.WrongAssets.selector);
        claims.releaseLending(last, 3);
        vm.expectRevert(Settlement.NotOpen.selector);
        settlement.fund(BNB);
        settlement.open(last, list);
        vm.expectRevert(Settlement.AlreadyDone.selector);
        settlement.open(last, list);
        vm.expectRevert(abi.encodeWithSelector(Settlement.NotReleased.selector, dollar));
        settlement.fund(dollar);
    }

    function test_otherPoolsAreRefused() public {
        end();
        list[1].shares = 1;
        vm.expectRevert(Settlement.WrongPools.selector);
        settlement.open(postedOf(root), list);
    }

    function test_coinsComeFromTheVaultOnly() public {
        vm.prank(alice);
        (bool done,) = address(settlement).call{value: 1}("");
        assertFalse(done);
    }

    // Steps

    function end() private {
        pass(30 days);
        vault.startEnd(dollar);
        pass(1 days);
        vault.end();
    }

    function open() private {
        settlement.open(postedOf(root), list);
        claims.releaseLending(postedOf(root), 0);
        claims.releaseLending(postedOf(root), 1);
    }

    function redeem(address account, uint256 id, uint256 amount) private {
        vm.startPrank(account);
        usdt.approve(address(settlement), amount);
        settlement.redeem(orderOf(id), id - 1, pathOf(id - 1), amount, account);
        vm.stopPrank();
    }

    function refuseRedeem(address account, uint256 id) private {
        (,, uint40 releasedAt) = settlement.fundingOf(BNB);
        // Hashing is a call too, so it comes before the expectation.
        bytes32[] memory path = pathOf(id - 1);
        vm.prank(account);
        vm.expectRevert(abi.encodeWithSelector(Settlement.OutsideWindow.selector, releasedAt + 90 days));
        settlement.redeem(orderOf(id), id - 1, path, 1_000 ether, account);
    }

    function claimPledge(address account, uint128 shares, uint256 place, address asset) private returns (uint256) {
        uint256 before = held(asset, account);
        bytes32[] memory path = pathOf(place);
        vm.prank(account);
        settlement.claimPledge(pledgeOf(dollar, shares), place, path, asset, account);
        return held(asset, account) - before;
    }

    function refuseClaim(address account, uint128 shares, uint256 place, address asset, bytes memory refusal) private {
        bytes32[] memory path = pathOf(place);
        vm.prank(account);
        vm.expectRevert(refusal);
        settlement.claimPledge(pledgeOf(dollar, shares), place, path, asset, account);
    }

    function orderOf(uint256 id) private view returns (PositionsTree.Order memory) {
        (uint128 collateral, uint128 shares) = id == 1 ? (2 ether, 200 ether) : (1 ether, 100 ether);
        return
            PositionsTree.Order(
                keccak256("salt"), bytes16(uint128(id)), BNB, uint128(collateral), dollar, uint128(shares)
            );
    }

    function pledgeOf(address pool, uint128 shares) private pure returns (PositionsTree.Pledge memory) {
        return PositionsTree.Pledge(keccak256("salt"), pool, shares);
    }

    function pathOf(uint256 place) private view returns (bytes32[] memory path) {
        path = new bytes32[](2);
        (path[0], path[1]) = (leaves[place ^ 1], above(place < 2 ? 2 : 0));
    }

    function above(uint256 place) private view returns (bytes32) {
        return PositionsTree.hashNode(leaves[place], leaves[place + 1]);
    }
}
