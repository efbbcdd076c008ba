// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Test} from "forge-std/Test.sol";
import {ClearwellVault} from "../../src/ClearwellVault.sol";
import {Handler} from "./Handler.sol";

/// Whatever order things happen in, the books close.
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

    /// What the vault holds is what its events credited, less what its events paid, and gifts that no event credited.
    function invariant_custodyIsDepositsLessWithdrawals() public view {
        for (uint256 i = 0; i < 3; ++i) {
            address asset = handler.assets(i);
            assertEq(
                handler.balanceOf(asset, address(vault)),
                handler.credited(asset) + handler.given(asset) - handler.paid(asset)
            );
        }
    }

    function invariant_aNoncePaysOnce() public view {
        // One more on either side, which nothing ever used.
        for (uint256 nonce = handler.FIRST_NONCE() - 1; nonce <= handler.LAST_NONCE() + 1; ++nonce) {
            assertLe(handler.timesPaid(nonce), 1);
            assertEq(vault.isNonceUsed(nonce), handler.timesPaid(nonce) == 1);
        }
    }

    /// The other half of this, that no withdrawal exceeds cap or limit, is asserted by the handler at each withdrawal.
    function invariant_whatIsLeftOfTheLimitIsWhatTheRuleSays() public view {
        for (uint256 i = 0; i < 3; ++i) {
            address asset = handler.assets(i);
            assertEq(vault.availableToWithdraw(asset), handler.modelAvailable(asset));
        }
    }

    function invariant_rolesAreWhereTheyWere() public view {
        assertEq(vault.owner(), handler.owner());
        assertEq(vault.pendingOwner(), address(0));
        assertEq(vault.signer(), handler.signer());
        assertEq(vault.guardian(), handler.guardian());
        assertEq(vault.paused(), handler.paused());
    }
}
