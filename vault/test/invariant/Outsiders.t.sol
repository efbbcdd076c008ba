// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {VaultFixture} from "../VaultFixture.sol";

/// The fuzzer calls every function of the vault as anyone but its owner, guardian and signer, with arbitrary arguments.
/// Practically every call is refused, and none may take anything out or change a rule.
contract OutsidersInvariant is VaultFixture {
    function setUp() public override {
        super.setUp();
        fund(100 ether);
        targetContract(address(vault));
        excludeSender(owner);
        excludeSender(guardian);
        // The vault's own address would count its deposits twice and cannot send a transaction.
        excludeSender(address(vault));
    }

    /// forge-config: default.invariant.fail-on-revert = false
    /// forge-config: nightly.invariant.fail-on-revert = false
    function invariant_outsidersTakeNothingAndChangeNothing() public view {
        assertGe(address(vault).balance, 100 ether);
        assertGe(token.balanceOf(address(vault)), 100 ether);
        assertEq(vault.owner(), owner);
        assertEq(vault.signer(), signer);
        assertEq(vault.guardian(), guardian);
        assertFalse(vault.paused());
        assertEq(vault.availableToWithdraw(NATIVE), DAY_LIMIT);
        assertEq(vault.availableToWithdraw(address(token)), DAY_LIMIT);
    }
}
