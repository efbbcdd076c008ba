// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Claims} from "./Claims.sol";
import {Ends} from "./Ends.sol";
import {Payments} from "./Payments.sol";

interface ISettlement {
    /// @notice The vault that this contract settles.
    function vault() external view returns (address);
}

/// @title Clearwell vault with exits
/// @notice Holds every token that Clearwell has in custody. Money leaves by a voucher under a posted root, by an exit, or by
/// a claim after the end. Its pieces, from the bottom: {VaultState}, {Roots}, {Payments}, {Exits}, {Ends}. Beside it
/// are {VaultKeys} with the roles and {Claims} for the time after the end.
/// @dev No proxy, no upgrade and no delegatecall.
contract ExitVault is Ends {
    constructor(Setup memory setup) Payments(setup) Ends(payable(new Claims())) {
        // The settlement contract names this vault, so it cannot be one that was made for another.
        if (setup.settlement != address(0) && ISettlement(setup.settlement).vault() != address(this)) {
            revert WrongSettlement(setup.settlement);
        }
    }
}
