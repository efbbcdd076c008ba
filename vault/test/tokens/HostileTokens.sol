// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// One misbehaviour each. All can be minted by anyone.
abstract contract PlayToken is ERC20("Hostile", "HOST") {
    function mint(address account, uint256 amount) external {
        _mint(account, amount);
    }
}

/// Keeps one hundredth of every transfer between accounts.
contract FeeToken is PlayToken {
    function _update(address from, address to, uint256 amount) internal override {
        super._update(from, to, amount);
        if (from != address(0) && to != address(0)) super._update(to, address(0), amount / 100);
    }
}

/// Takes everything it is asked to move as a fee.
contract AllFeeToken is PlayToken {
    function _update(address from, address to, uint256 amount) internal override {
        super._update(from, from == address(0) ? to : address(0), amount);
    }
}

/// Makes the sender pay one unit more than asked for.
contract SenderFeeToken is PlayToken {
    function _update(address from, address to, uint256 amount) internal override {
        super._update(from, to, amount);
        if (from != address(0) && to != address(0)) super._update(from, address(0), 1);
    }
}

/// Credits the receiver one unit more than asked for.
contract BonusToken is PlayToken {
    function _update(address from, address to, uint256 amount) internal override {
        super._update(from, to, amount);
        if (from != address(0) && to != address(0)) super._update(address(0), to, 1);
    }
}

/// Takes money out of the receiver when it should bring some.
contract ThievingToken is PlayToken {
    function transferFrom(address, address to, uint256) public override returns (bool) {
        _burn(to, 1);
        return true;
    }

    function transfer(address, uint256) public override returns (bool) {
        _mint(msg.sender, 1);
        return true;
    }
}

/// Says that it moved the money and did not.
contract LyingToken is PlayToken {
    function transferFrom(address, address, uint256) public pure override returns (bool) {
        return true;
    }

    function transfer(address, uint256) public pure override returns (bool) {
        return true;
    }
}

/// Answers false instead of reverting, having moved nothing.
contract FalseToken is PlayToken {
    function transferFrom(address, address, uint256) public pure override returns (bool) {
        return false;
    }

    function transfer(address, uint256) public pure override returns (bool) {
        return false;
    }
}

/// Answers nothing at all, as USDT on Ethereum does, and moves the money.
contract SilentToken {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    function mint(address account, uint256 amount) external {
        balanceOf[account] += amount;
    }

    function approve(address spender, uint256 amount) external {
        allowance[msg.sender][spender] = amount;
    }

    function transfer(address to, uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
    }

    function transferFrom(address from, address to, uint256 amount) external {
        allowance[from][msg.sender] -= amount;
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
    }
}

/// Makes one call of the attacker's choice in the middle of a transfer or a permit, like a token with hooks.
contract HookToken is PlayToken {
    address public target;
    uint256 public value;
    bytes public callData;
    bool public callSucceeded;
    bytes public answer;

    receive() external payable {}

    function arm(address target_, uint256 value_, bytes calldata callData_) external {
        target = target_;
        value = value_;
        callData = callData_;
    }

    function permit(address, address, uint256, uint256, uint8, bytes32, bytes32) external {
        _callOnce();
    }

    function _update(address from, address to, uint256 amount) internal override {
        super._update(from, to, amount);
        if (from != address(0) && to != address(0)) _callOnce();
    }

    function _callOnce() private {
        address once = target;
        if (once == address(0)) return;
        target = address(0);
        (callSucceeded, answer) = once.call{value: value}(callData);
    }
}
