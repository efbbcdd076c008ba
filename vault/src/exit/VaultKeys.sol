// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";

import {IExitVault} from "./IExitVault.sol";
import {IVaultKeys} from "./IVaultKeys.sol";

/// @title Roles, keys, limits and the pause
/// @notice What strengthens the vault counts immediately. What weakens it is announced and counts 10 days later, on a clock
/// that stops while the vault is paused and for 24 hours afterwards.
/// @dev The vault deploys this contract in its constructor and asks it; it is a contract beside the vault because one contract
/// would be larger than EIP-170 allows. It holds no money and calls nothing.
contract VaultKeys is IVaultKeys, Ownable2Step {
    struct Key {
        Role role;
        uint40 activeAt;
    }

    struct Limits {
        uint112 perVoucher;
        uint112 perDay;
    }

    struct AnnouncedLimits {
        uint112 perVoucher;
        uint112 perDay;
        uint32 activeAt;
    }

    struct ListedAsset {
        address token;
        uint40 activeAt;
    }

    /// @dev Within any 24 hours the balance, exits added back, falls by at most the daily limit. Each slot of four hours
    /// stores the highest balance before a voucher in it; the current slot and the six before it reach back 24 hours.
    uint256 private constant SLOT_SECONDS = 4 hours;
    uint256 private constant SLOTS = 7;

    uint256 private constant DELAY = 10 days;
    uint256 private constant MAX_ASSETS = 16;

    /// @dev Values of a clock and the time from which it runs; the largest time while the vault is paused.
    uint40 private _clockValue;
    uint40 private _clockFrom;

    /// @notice Since when the vault is paused, 0 while it is not.
    uint40 public pausedAt;

    /// @notice The account that may pause.
    address public guardian;
    address public announcedGuardian;
    uint40 public announcedGuardianAt;

    /// @notice The vault to which the money may move, and when on the vault's clock. Zero without one.
    address public successor;
    uint40 public successorAt;

    mapping(address account => Key) public keyOf;
    mapping(Role role => uint256) private _keys;

    /// @notice What one voucher may take of an asset, and by how much the vault's balance may fall in 24 hours.
    mapping(address asset => Limits) public limitsOf;
    mapping(address asset => AnnouncedLimits) public announcedLimitsOf;

    mapping(address asset => mapping(uint256 slot => uint256 balance)) private _highestBalance;

    ListedAsset[] private _assets;

    /// @notice The vault, which deploys this contract.
    address public immutable vault;

    constructor(IExitVault.Setup memory setup) Ownable(setup.owner) {
        vault = msg.sender;
        _clockValue = _now();
        _clockFrom = _clockValue;
        _requireRoleFree(setup.guardian);
        guardian = setup.guardian;
        emit GuardianSet(address(0), setup.guardian);
        _addKeys(Role.Signer, setup.signers);
        _addKeys(Role.RootKey, setup.rootKeys);
        _addKeys(Role.Bookkeeper, setup.bookkeepers);
        for (uint256 i = 0; i < setup.assets.length; ++i) {
            IExitVault.AssetSetup memory asset = setup.assets[i];
            _listAsset(asset.token, _clockValue);
            limitsOf[asset.token] = Limits(asset.perVoucher, asset.perDay);
            emit LimitsSet(asset.token, asset.perVoucher, asset.perDay);
        }
    }

    // Pause

    /// @notice Stops deposits, vouchers and new roots, and freezes the roots of the last 24 hours for at most 7 days. For
    /// the guardian and the owner.
    function pause() external {
        if (msg.sender != guardian && msg.sender != owner()) revert NotAllowedToPause(msg.sender);
        if (pausedAt != 0) revert VaultPaused();
        _clockValue = clock();
        _clockFrom = type(uint40).max;
        pausedAt = _now();
        emit Paused(_now());
    }

    /// @notice Ends the pause. For the owner.
    function unpause() external onlyOwner {
        if (pausedAt == 0) revert VaultNotPaused();
        pausedAt = 0;
        _clockFrom = _now() + 24 hours;
        emit Unpaused(_now());
    }

    /// @notice The clock of all delays, in seconds. It began at the time of deployment, and stops while the vault is
    /// paused and for 24 hours afterwards.
    function clock() public view returns (uint40) {
        return _now() > _clockFrom ? _clockValue + (_now() - _clockFrom) : _clockValue;
    }

    // Keys

    /// @notice Adds a key, which counts after 10 days. At most 2 signers, 2 root keys and 3 bookkeepers. For the owner.
    function addKey(Role role, address key) external onlyOwner {
        _addKey(role, key, _afterDelay());
    }

    /// @notice Removes a key immediately, also one that does not count yet. For the owner.
    function removeKey(address key) external onlyOwner {
        Role role = keyOf[key].role;
        if (role == Role.None) revert NotAKey(key);
        delete keyOf[key];
        --_keys[role];
        emit KeyRemoved(role, key);
    }

    /// @notice Announces another guardian. Announcing the present one withdraws an announcement. For the owner.
    function announceGuardian(address next) external onlyOwner {
        if (next == guardian) {
            (announcedGuardian, announcedGuardianAt) = (address(0), 0);
            emit GuardianAnnounced(next, 0);
            return;
        }
        _requireRoleFree(next);
        (announcedGuardian, announcedGuardianAt) = (next, _afterDelay());
        emit GuardianAnnounced(next, announcedGuardianAt);
    }

    /// @notice Puts the announced guardian into office 10 days after the announcement. Anyone may call.
    function applyGuardian() external {
        address next = announcedGuardian;
        if (next == address(0)) revert NothingAnnounced();
        _requireActive(announcedGuardianAt);
        (announcedGuardian, announcedGuardianAt) = (address(0), 0);
        _requireRoleFree(next);
        emit GuardianSet(guardian, next);
        guardian = next;
    }

    // Limits

    /// @notice Sets the limits of an asset: a lower one immediately, a higher one 10 days later by `applyLimits`. Replaces an
    /// earlier announcement. For the owner.
    /// @dev Zero per day stops deposits and vouchers of the asset, zero per voucher stops vouchers. Exits know no limits.
    function setLimits(address asset, uint112 perVoucher, uint112 perDay) external onlyOwner {
        Limits storage limits = limitsOf[asset];
        bool isHigher = perVoucher > limits.perVoucher || perDay > limits.perDay;
        if (perVoucher < limits.perVoucher) limits.perVoucher = perVoucher;
        if (perDay < limits.perDay) limits.perDay = perDay;
        emit LimitsSet(asset, limits.perVoucher, limits.perDay);
        delete announcedLimitsOf[asset];
        if (!isHigher) return;
        uint40 activeAt = _afterDelay();
        announcedLimitsOf[asset] = AnnouncedLimits(perVoucher, perDay, uint32(activeAt));
        emit LimitsAnnounced(asset, perVoucher, perDay, activeAt);
    }

    /// @notice Sets the announced limits 10 days after the announcement. Anyone may call.
    function applyLimits(address asset) external {
        AnnouncedLimits memory next = announcedLimitsOf[asset];
        if (next.activeAt == 0) revert NothingAnnounced();
        _requireActive(next.activeAt);
        delete announcedLimitsOf[asset];
        limitsOf[asset] = Limits(next.perVoucher, next.perDay);
        emit LimitsSet(asset, next.perVoucher, next.perDay);
    }

    /// @notice Counts a voucher of `amount`. For the vault.
    /// @param balance before the payment, with all exits added back: a large exit lowers no voucher's limit
    function useLimits(address asset, uint256 amount, uint256 balance) external {
        if (msg.sender != vault) revert NotTheVault(msg.sender);
        Limits memory limits = limitsOf[asset];
        if (amount > limits.perVoucher) revert WithdrawalExceedsCap(amount, limits.perVoucher);
        uint256 available = availableAt(asset, balance);
        if (amount > available) revert WithdrawalExceedsLimit(amount, available);
        uint256 slot = block.timestamp / SLOT_SECONDS;
        if (balance > _highestBalance[asset][slot]) _highestBalance[asset][slot] = balance;
    }

    /// @notice What the daily limit leaves now, at a balance with all exits added back.
    function availableAt(address asset, uint256 balance) public view returns (uint256) {
        uint256 limit = limitsOf[asset].perDay;
        uint256 current = block.timestamp / SLOT_SECONDS;
        uint256 highest = balance;
        for (uint256 age = 0; age < SLOTS; ++age) {
            uint256 earlier = _highestBalance[asset][current - age];
            if (earlier > highest) highest = earlier;
        }
        uint256 fallen = highest - balance;
        // The owner may lower a limit below what has already left.
        return fallen < limit ? limit - fallen : 0;
    }

    // Assets and successor

    /// @notice Adds an asset to the list, 10 days later. Roots must then have it. It cannot be taken off. For the owner.
    function listAsset(address token) external onlyOwner {
        _listAsset(token, _afterDelay());
    }

    /// @notice Announces the vault to which the money may move 10 days later, past limits and locks; zero withdraws the
    /// announcement. For the owner.
    function announceSuccessor(address next) external onlyOwner {
        (successor, successorAt) = (next, next == address(0) ? 0 : _afterDelay());
        emit SuccessorAnnounced(next, successorAt);
    }

    /// @notice Always refused: without an owner, no account could unpause or remove a stolen key.
    function renounceOwnership() public view override onlyOwner {
        revert OwnershipCannotBeRenounced();
    }

    /// @notice The assets that a header must have now, in this order.
    function assets() external view returns (address[] memory tokens) {
        uint256 count = _assets.length;
        while (count > 0 && !_isActive(_assets[count - 1].activeAt)) --count;
        tokens = new address[](count);
        for (uint256 i = 0; i < count; ++i) {
            tokens[i] = _assets[i].token;
        }
    }

    /// @notice Whether the key counts now.
    function isActiveKey(Role role, address account) external view returns (bool) {
        Key memory key = keyOf[account];
        return key.role == role && role != Role.None && _isActive(key.activeAt);
    }

    /// @notice Whether the vault's money may move to the account.
    function isActiveSuccessor(address account) external view returns (bool) {
        return account == successor && successorAt != 0 && _isActive(successorAt);
    }

    /// @notice Whether the asset is on the list now.
    function isListed(address token) external view returns (bool) {
        for (uint256 i = 0; i < _assets.length; ++i) {
            if (_assets[i].token == token) return _isActive(_assets[i].activeAt);
        }
        return false;
    }

    // Steps

    function _isActive(uint256 activeAt) private view returns (bool) {
        return clock() >= activeAt;
    }

    function _requireActive(uint256 activeAt) private view {
        if (!_isActive(activeAt)) revert TooEarly(activeAt);
    }

    function _afterDelay() private view returns (uint40) {
        return uint40(clock() + DELAY);
    }

    function _now() private view returns (uint40) {
        return uint40(block.timestamp);
    }

    function _addKeys(Role role, address[] memory keys) private {
        for (uint256 i = 0; i < keys.length; ++i) {
            _addKey(role, keys[i], _clockValue);
        }
    }

    function _addKey(Role role, address key, uint40 activeAt) private {
        _requireRoleFree(key);
        uint256 most = role == Role.None ? 0 : role == Role.Bookkeeper ? 3 : 2;
        if (++_keys[role] > most) revert RoleFull(role);
        keyOf[key] = Key(role, activeAt);
        emit KeyAdded(role, key, activeAt);
    }

    function _listAsset(address token, uint40 activeAt) private {
        if (_assets.length == MAX_ASSETS) revert TooManyAssets();
        for (uint256 i = 0; i < _assets.length; ++i) {
            if (_assets[i].token == token) revert AlreadyListed(token);
        }
        _assets.push(ListedAsset(token, activeAt));
        emit AssetListed(token, activeAt);
    }

    /// @dev One account has one role, so that no key has two powers.
    function _requireRoleFree(address account) private view {
        if (account == address(0)) revert ZeroAddress();
        bool isTaken = account == owner() || account == guardian || account == announcedGuardian;
        if (isTaken || keyOf[account].role != Role.None) revert RolesNotApart(account);
    }

    /// @dev Every change of the owner passes here, the constructor's included.
    function _transferOwnership(address next) internal override {
        bool isTaken = next == guardian || next == announcedGuardian || keyOf[next].role != Role.None;
        if (isTaken && next != address(0)) revert RolesNotApart(next);
        super._transferOwnership(next);
    }
}
