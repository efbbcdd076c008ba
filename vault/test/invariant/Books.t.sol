// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Test} from "forge-std/Test.sol";
import {ClearwellVault} from "../../src/ClearwellVault.sol";
import {Handler} from "./Handler.sol";

/// The books close after any sequence of calls.
contract BooksInvariant is Test {
    Handler private handler;
    ClearwellVault private vault;

    function setUp() public {
        vm.warp(1_767_225_600);
        handler = new Handler();
        vault = handler.vault();
        targetContract(address(handler));
        bytes4[] memory steps = new bytes4[](11);
        steps[0] = Handler.deposit.selector;
        steps[1] = Handler.depositPlainly.selector;
        steps[2] = Handler.give.selector;
        steps[3] = Handler.withdraw.selector;
        steps[4] = Handler.withdrawAllThatIsLeft.selector;
        steps[5] = Handler.forge.selector;
        steps[6] = Handler.setLimits.selector;
        steps[7] = Handler.pause.selector;
        steps[8] = Handler.unpause.selector;
        steps[9] = Handler.usurp.selector;
        steps[10] = Handler.wait.selector;
        targetSelector(FuzzSelector(address(handler), steps));
    }

    /// One campaign checks everything after each call: a campaign for each property would repeat the same calls four times.
    function invariant_booksClose() public view {
        checkCustody();
        checkLimits();
        checkRoles();
    }

    /// A nonce that paid twice stays counted twice, so the end of a run is soon enough.
    function afterInvariant() public view {
        checkNonces();
    }

    /// The vault holds the amounts that its events credited, less those that its events paid, and gifts without an event.
    function checkCustody() private view {
        for (uint256 i = 0; i < 3; ++i) {
            address asset = handler.assets(i);
            assertEq(
                handler.balanceOf(asset, address(vault)),
                handler.credited(asset) + handler.given(asset) - handler.paid(asset)
            );
        }
    }

    /// A nonce pays at most once. The range has one unused nonce on either side.
    function checkNonces() private view {
        for (uint256 nonce = handler.FIRST_NONCE() - 1; nonce <= handler.LAST_NONCE() + 1; ++nonce) {
            assertLe(handler.timesPaid(nonce), 1);
            assertEq(vault.isNonceUsed(nonce), handler.timesPaid(nonce) == 1);
        }
    }

    /// The rest of the limit equals the model's. The handler asserts at each withdrawal that none exceeds cap or limit.
    function checkLimits() private view {
        for (uint256 i = 0; i < 3; ++i) {
            address asset = handler.assets(i);
            assertEq(vault.availableToWithdraw(asset), handler.modelAvailable(asset));
        }
    }

    /// No call moves a role.
    function checkRoles() private view {
        assertEq(vault.owner(), handler.owner());
        assertEq(vault.pendingOwner(), address(0));
        assertEq(vault.signer(), handler.signer());
        assertEq(vault.guardian(), handler.guardian());
        assertEq(vault.paused(), handler.paused());
    }
}
