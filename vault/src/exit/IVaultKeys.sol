// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Types, events and errors of the vault's keys
interface IVaultKeys {
    enum Role {
        None,
        Signer,
        RootKey,
        Bookkeeper
    }

    /// @param activeAt on the vault's clock, see `clock`
    event KeyAdded(Role indexed role, address indexed key, uint40 activeAt);
    event KeyRemoved(Role indexed role, address indexed key);
    event GuardianAnnounced(address indexed guardian, uint40 activeAt);
    event GuardianSet(address indexed previous, address indexed current);
    event LimitsSet(address indexed asset, uint256 perVoucher, uint256 perDay);
    event LimitsAnnounced(address indexed asset, uint256 perVoucher, uint256 perDay, uint40 activeAt);
    event AssetListed(address indexed asset, uint40 activeAt);
    event SuccessorAnnounced(address indexed successor, uint40 activeAt);
    event Paused(uint40 time);
    event Unpaused(uint40 time);

    error NotAllowedToPause(address caller);
    error ZeroAddress();
    error RolesNotApart(address account);
    error RoleFull(Role role);
    error NotAKey(address account);
    error NothingAnnounced();
    error TooManyAssets();
    error OwnershipCannotBeRenounced();
    error VaultPaused();
    error VaultNotPaused();

    /// @notice The vault's clock has not reached the end of the delay.
    error TooEarly(uint256 activeAt);
    error AlreadyListed(address asset);
    error NotTheVault(address caller);
    error WithdrawalExceedsCap(uint256 amount, uint256 cap);
    error WithdrawalExceedsLimit(uint256 amount, uint256 available);
}
