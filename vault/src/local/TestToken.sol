// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// @title Play money
/// @notice Replaces USDT and ETH on the local chain. Its owner can mint, so it must never exist anywhere else.
contract TestToken is ERC20Permit, Ownable {
    uint256 private constant LOCAL_CHAIN_ID = 31337;

    uint8 private immutable _decimals;

    /// @notice Refused on every chain but the local one.
    error OnlyOnLocalChain(uint256 chainId);

    constructor(string memory name_, string memory symbol_, uint8 decimals_, address owner_)
        ERC20(name_, symbol_)
        ERC20Permit(name_)
        Ownable(owner_)
    {
        if (block.chainid != LOCAL_CHAIN_ID) revert OnlyOnLocalChain(block.chainid);
        _decimals = decimals_;
    }

    /// @notice Makes `amount` base units for `account`.
    function mint(address account, uint256 amount) external onlyOwner {
        _mint(account, amount);
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }
}
