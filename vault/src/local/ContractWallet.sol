// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title A contract that owns an account of the vault, as wallets with several owners do
/// @notice Sends what its owner says, and takes coins.
contract ContractWallet {
    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    receive() external payable {}

    /// @notice Calls a contract for the wallet. A refusal keeps its reason.
    function execute(address target, bytes calldata data) external {
        require(msg.sender == owner, "not the owner");
        (bool done, bytes memory reason) = target.call(data);
        if (!done) {
            assembly ("memory-safe") {
                revert(add(reason, 32), mload(reason))
            }
        }
    }
}
